/* crc32c: the Castagnoli checksum (RFC 3720, B.4) of memory, as NVMe, iSCSI, ext4 and btrfs use it.
 * Knows no blocks and no files. */
#ifndef ENGINE_CRC32C_H
#define ENGINE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of n more bytes; crc: 0 for the first, else what came back for those before. With the CPU's own instruction
 * where it has one (SSE 4.2). "123456789" is 0xe3069283. */
uint32_t crc32c(uint32_t crc, const void *p, size_t n);

/* The same without the instruction: a table made for the purpose. */
uint32_t crc32c_table(uint32_t crc, const void *p, size_t n);

#endif

/* job_fields: the list of the tables of fields, and how a row is found in them.
 * Parses nothing and checks nothing; job.c does. */
#include <string.h>

#include "engine/job_rows.h"

const struct job_section *const job_sections[] = {
    &fields_files, &fields_prep, &fields_pattern, &fields_draw, &fields_io, &fields_engine, &fields_rate, &fields_data,
    &fields_run,
    &fields_seat, &fields_order, &fields_report, &fields_steady, &fields_content, &fields_verify, NULL,
};

const struct job_field *job_field(size_t i)
{
    for (size_t s = 0; job_sections[s]; s++) {
        if (i < job_sections[s]->n)
            return &job_sections[s]->field[i];
        i -= job_sections[s]->n;
    }
    return NULL;
}

const struct job_field *job_field_find(const char *name)
{
    const struct job_field *f;
    for (size_t i = 0; (f = job_field(i)); i++)
        if (!strcmp(f->name, name) || (f->alias && !strcmp(f->alias, name)))
            return f;
    return NULL;
}

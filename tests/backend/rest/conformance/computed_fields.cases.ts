// Functions of a row as columns.
import { reads, refuses, type Case } from './case.ts'

const FILTERING = 'computed_fields: horizontal filtering'
const SELECTING = 'computed_fields: vertical filtering'
const ORDERING = 'computed_fields: ordering'
const SCHEMAS = 'computed_fields: schemas'

export const COMPUTED_FIELDS: readonly Case[] = [
  ...reads(
    FILTERING,
    ['/films?select=id&film_label=eq.Ran (1985)', [{ id: 3 }]],
    ['/films?select=id&film_label=like.*1985*&order=id', [{ id: 2 }, { id: 3 }]],
    ['/films?select=id&is_old=eq.true&order=id', [{ id: 1 }, { id: 4 }, { id: 6 }]],
    ['/films?select=id&film_label=fts(english).ran', [{ id: 3 }]],
    ['/films?select=id&or=(film_label.eq."Cleo (1962)",id.eq.2)&order=id', [{ id: 1 }, { id: 2 }]],
    ['/directors?select=id&label_length=gt.5&order=id', [{ id: 3 }, { id: 4 }]],
    ['/actors?select=id&label_length=eq.4', [{ id: 7 }], { name: 'overloaded functions' }],
    [
      '/directors?select=name,films(id)&films.is_old=is.true&id=eq.1',
      [{ name: 'Agnes', films: [{ id: 1 }] }],
    ],
  ),
  ...reads(
    SELECTING,
    ['/films?select=film_label&id=eq.1', [{ film_label: 'Cleo (1962)' }]],
    ['/films?select=id,label:film_label&id=eq.1', [{ id: 1, label: 'Cleo (1962)' }]],
    ['/films?select=is_old::text&id=eq.1', [{ is_old: 'true' }]],
    ['/directors?select=label_length&id=eq.1', [{ label_length: 5 }]],
    [
      '/directors?select=id,name,country,born&id=eq.1',
      [{ id: 1, name: 'Agnes', country: 'BE', born: '1928-05-30' }],
    ],
    [
      '/directors?id=eq.1',
      [{ id: 1, name: 'Agnes', country: 'BE', born: '1928-05-30' }],
      { name: 'not among all columns' },
    ],
    [
      '/directors?select=*,label_length&id=eq.1',
      [{ id: 1, name: 'Agnes', country: 'BE', born: '1928-05-30', label_length: 5 }],
    ],
    [
      '/actors?select=name,films(film_label)&id=eq.3',
      [{ name: 'Tatsuya', films: [{ film_label: 'Ran (1985)' }] }],
    ],
  ),
  ...reads(
    ORDERING,
    ['/directors?select=id&order=label_length.desc,id', [{ id: 3 }, { id: 4 }, { id: 1 }, { id: 2 }]],
    ['/films?select=id&order=film_label&limit=2', [{ id: 1 }, { id: 4 }]],
    [
      '/directors?select=id,films(id)&films.order=film_label.desc&id=eq.1',
      [{ id: 1, films: [{ id: 2 }, { id: 1 }] }],
    ],
  ),
  ...refuses(
    SCHEMAS,
    ['/films?select=elsewhere', 400, { code: '42703', message: 'column films.elsewhere does not exist' }],
    ['/films?elsewhere=is.true', 400, { code: '42703' }],
    ['/rpc/film_label', 404, { code: 'PGRST202' }],
  ),
]

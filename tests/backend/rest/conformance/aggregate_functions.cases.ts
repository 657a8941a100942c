// Sums, counts and groups.
import { reads, refuses, type Case } from './case.ts'

const PLAIN = 'aggregate_functions: aggregate functions'
const GROUPS = 'aggregate_functions: automatic GROUP BY'
const COUNT = 'aggregate_functions: count()'
const CASTING = 'aggregate_functions: casting'
const BY_EMBEDDED = 'aggregate_functions: grouping by an embedded resource'
const WITHIN = 'aggregate_functions: inside embedded resources'
const SPREADS = 'aggregate_functions: to-one spreads'
const DISABLED = 'aggregate_functions: disabled'

const DISALLOWED = {
  code: 'PGRST123',
  message: 'Use of aggregate functions is not allowed',
  details: null,
  hint: null,
}
const OFF = { settings: { db_aggregates_enabled: 'false' } }

export const AGGREGATE_FUNCTIONS: readonly Case[] = [
  ...reads(
    PLAIN,
    ['/orders?select=amount.sum()', [{ sum: 135.75 }]],
    ['/orders?select=quantity.sum()', [{ sum: 10 }]],
    ['/orders?select=quantity.avg()', [{ avg: 2.5 }]],
    ['/orders?select=amount.max(),amount.min()', [{ max: 100, min: 5 }]],
    ['/orders?select=label.max()', [{ max: 'Sail' }]],
    ['/orders?select=ordered.min(),last:ordered.max()', [{ min: '2024-01-01', last: '2024-01-02' }]],
    [
      '/orders?select=total:amount.sum(),mean:quantity.avg(),pieces:quantity.sum()',
      [{ total: 135.75, mean: 2.5, pieces: 10 }],
    ],
    ['/orders?select=amount.sum()&quantity=gt.1', [{ sum: 35.75 }], { name: 'with a filter' }],
    ['/orders?select=amount.sum()&id=eq.99', [{ sum: null }], { name: 'of no rows' }],
    ['/orders?select=amount.sum()&or=(id.eq.1,id.eq.4)', [{ sum: 15.5 }]],
    ['/rpc/get_films?select=year.max()', [{ max: 1985 }], { name: 'of a function' }],
    ['/film_list?select=id.max()', [{ max: 6 }], { name: 'of a view' }],
  ),
  ...reads(
    GROUPS,
    [
      '/orders?select=ordered,amount.sum()&order=ordered',
      [
        { ordered: '2024-01-01', sum: 110.5 },
        { ordered: '2024-01-02', sum: 25.25 },
      ],
    ],
    [
      '/orders?select=day:ordered,amount.sum(),quantity.avg()&order=ordered.desc',
      [
        { day: '2024-01-02', sum: 25.25, avg: 3 },
        { day: '2024-01-01', sum: 110.5, avg: 2 },
      ],
    ],
    [
      '/films?select=language,rating.max(),count()&order=language',
      [
        { language: 'fr', max: 7.9, count: 3 },
        { language: 'ja', max: 8.3, count: 2 },
        { language: null, max: null, count: 1 },
      ],
    ],
    [
      '/films?select=language,year,id.count()&order=language,year&year=gt.1970',
      [
        { language: 'fr', year: 1975, count: 1 },
        { language: 'fr', year: 1985, count: 1 },
        { language: 'ja', year: 1985, count: 1 },
      ],
    ],
    ['/films?select=language,id.count()&order=language&limit=1', [{ language: 'fr', count: 3 }]],
    [
      '/films?select=is_old,count()&order=is_old',
      [
        { is_old: false, count: 3 },
        { is_old: true, count: 3 },
      ],
      { name: 'by a computed field' },
    ],
  ),
  ...reads(
    COUNT,
    ['/orders?select=count()', [{ count: 4 }]],
    ['/orders?select=total:count()', [{ total: 4 }]],
    ['/orders?select=count()::text', [{ count: '4' }]],
    ['/orders?select=note.count(),all:count()', [{ count: 2, all: 4 }], { name: 'null is not counted' }],
    [
      '/orders?select=ordered,count(),notes:note.count()&order=ordered',
      [
        { ordered: '2024-01-01', count: 2, notes: 1 },
        { ordered: '2024-01-02', count: 2, notes: 1 },
      ],
    ],
    ['/orders?select=count', [{ count: 4 }], { name: 'without parentheses' }],
    [
      '/directors?select=name,films(count)&order=id',
      [
        { name: 'Agnes', films: [{ count: 2 }] },
        { name: 'Akira', films: [{ count: 2 }] },
        { name: 'Chantal', films: [{ count: 1 }] },
        { name: 'Nobody', films: [{ count: 0 }] },
      ],
    ],
    ['/orders?select=count()&id=gt.2', [{ count: 2 }]],
    ['/empty_table?select=count()', [{ count: 0 }]],
  ),
  ...reads(
    CASTING,
    ['/orders?select=details->tax::numeric.sum()', [{ sum: 13.75 }], { name: 'of the input' }],
    ['/orders?select=details->>tax::numeric.max()', [{ max: 10 }]],
    ['/orders?select=quantity.avg()::int', [{ avg: 3 }], { name: 'of the result' }],
    ['/orders?select=amount.sum()::text', [{ sum: '135.75' }]],
    [
      '/orders?select=all:details->>tax::numeric.sum()::text',
      [{ all: '13.75' }],
      { name: 'of both, renamed' },
    ],
  ),
  ...reads(
    BY_EMBEDDED,
    ['/films?select=count(),directors(name)&director_id=eq.1', [{ count: 2, directors: { name: 'Agnes' } }]],
    [
      '/films?select=director_id,rating.max(),directors(name)&director_id=lt.3&order=director_id',
      [
        { director_id: 1, max: 7.9, directors: { name: 'Agnes' } },
        { director_id: 2, max: 8.3, directors: { name: 'Akira' } },
      ],
    ],
    [
      '/films?select=count(),...directors(country)&director_id=not.is.null&order=directors(country)',
      [
        { count: 3, country: 'BE' },
        { count: 2, country: 'JP' },
      ],
      { name: 'by a spread column' },
    ],
  ),
  ...reads(
    WITHIN,
    [
      '/directors?select=name,films(rating.max(),rating.min(),count())&id=lt.3&order=id',
      [
        { name: 'Agnes', films: [{ max: 7.9, min: 7.7, count: 2 }] },
        { name: 'Akira', films: [{ max: 8.3, min: 8.2, count: 2 }] },
      ],
    ],
    [
      '/directors?select=name,films(language,count())&id=eq.1',
      [{ name: 'Agnes', films: [{ language: 'fr', count: 2 }] }],
    ],
    [
      '/directors?select=name,films(year.sum())&id=gt.2&order=id',
      [
        { name: 'Chantal', films: [{ sum: 1975 }] },
        { name: 'Nobody', films: [{ sum: null }] },
      ],
    ],
    [
      '/films?select=title,actors(count())&id=in.(1,6)&order=id',
      [
        { title: 'Cleo', actors: [{ count: 2 }] },
        { title: 'Lost Reel', actors: [{ count: 0 }] },
      ],
      { name: 'many-to-many' },
    ],
    [
      '/directors?select=name,films(count())&films.year=gt.1970&id=eq.1',
      [{ name: 'Agnes', films: [{ count: 1 }] }],
    ],
  ),
  ...reads(
    SPREADS,
    [
      '/films?select=language,...directors(born.max(),born.min())&language=not.is.null&order=language',
      [
        { language: 'fr', max: '1950-06-06', min: '1928-05-30' },
        { language: 'ja', max: '1910-03-23', min: '1910-03-23' },
      ],
    ],
    [
      '/box_office?select=...films(title,top:rating.max()),gross.sum()&order=films(title)',
      [
        { title: 'Cleo', top: 7.9, sum: 1500.5 },
        { title: 'Ran', top: 8.2, sum: 7500.25 },
      ],
    ],
    ['/films?select=...directors(first:born.min())', [{ first: '1910-03-23' }], { name: 'only aggregates' }],
    [
      '/roles?select=film_id,...films(count())&film_id=in.(1,2)&order=film_id',
      [
        { film_id: 1, count: 2 },
        { film_id: 2, count: 1 },
      ],
    ],
    [
      '/roles?select=...films(film:title,parts:count())&film_id=in.(1,2)&order=films(film)',
      [
        { film: 'Cleo', parts: 2 },
        { film: 'Vagabond', parts: 1 },
      ],
    ],
  ),
  ...refuses(
    SPREADS,
    [
      '/directors?select=name,...films(language,year.sum())',
      400,
      {
        code: 'PGRST127',
        message: 'Feature not implemented',
        details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
        hint: null,
      },
    ],
    ['/actors?select=name,...films(count())', 400, { code: 'PGRST127' }],
  ),
  ...refuses(
    PLAIN,
    ['/orders?select=label.sum()', 404, { code: '42883', message: /^function sum\(text\) does not exist/ }],
    ['/orders?select=amount.median()', 400, { code: 'PGRST100' }],
    ['/orders?select=nope.sum()', 400, { code: '42703' }],
  ),
  ...refuses(
    DISABLED,
    ['/orders?select=amount.sum()', 400, DISALLOWED],
    ['/orders?select=count()', 400, DISALLOWED],
    ['/directors?select=name,films(year.max())', 400, DISALLOWED],
    ['/films?select=...directors(id.count())', 400, DISALLOWED],
    ['/directors?select=...films(id.count())', 400, DISALLOWED],
  ).map(one => ({ ...one, ...OFF })),
]

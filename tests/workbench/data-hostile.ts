// Values that tools lose, distort or execute: each with the type of its column, and as PostgreSQL writes it.

export type Hostile = readonly [name: string, format: string, text: string]

const LONG = 'Длинный 长い طويل 🚢 '.repeat(40_000)

/** The grid must return every value in this form. */
export const HOSTILE: readonly Hostile[] = [
  ['a script', 'text', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['right to left', 'text', 'مرفأ النوارس ‏(٣)‎ נמל'],
  ['multi-part emoji', 'text', '👩🏽‍✈️🏴‍☠️👨‍👩‍👧‍👦 e\u0301'],
  ['many scripts', 'text', 'Ωκεανός Владивосток 東京湾 ทะเล हिन्द महासागर'],
  ['overridden text direction', 'text', 'abc\u202Egpj.exe\u202C'],
  ['tabs, lines and quotes', 'text', 'a\tb\n"c"\r\n\'d\'\\e'],
  ['surrounding spaces', 'text', '  x  '],
  ['a formula', 'text', '=1+1'],
  ['the text null', 'text', 'null'],
  ['the null marker', 'text', '\\N'],
  ['a megabyte of text', 'text', LONG],
  ['the largest bigint', 'bigint', '9223372036854775807'],
  ['the smallest bigint', 'bigint', '-9223372036854775808'],
  ['an integer beyond double precision', 'bigint', '9007199254740993'],
  ['many digits', 'numeric', '123456789012345678901234567890.123456789012345678901234567890'],
  ['trailing zeros', 'numeric', '1.10'],
  ['NaN', 'numeric', 'NaN'],
  ['infinity', 'double precision', 'Infinity'],
  ['below infinity', 'double precision', '-Infinity'],
  ['the smallest double', 'double precision', '5e-324'],
  ['a time with a zone', 'timestamp with time zone', '2026-03-01 10:00:05.123456+05:30'],
  ['a time BC', 'timestamp with time zone', '0044-03-15 12:00:00+00 BC'],
  ['an infinite time', 'timestamp with time zone', 'infinity'],
  ['a time without a zone', 'timestamp without time zone', '2026-03-01 10:00:05.123456'],
  ['a day', 'date', '2026-02-29'.replace('29', '28')],
  ['a time of day', 'time without time zone', '23:59:59.999999'],
  ['an interval', 'interval', '-1 years -2 mons +3 days -04:05:06.78'],
  ['JSON with large digits', 'jsonb', '{"n":9007199254740993,"t":"</script>"}'],
  ['JSON with a text', 'jsonb', '"null"'],
  ['an array of everything', 'text[]', '{a,"b,c","\\"d\\"",NULL,"NULL","",🚢}'],
  ['an array of large digits', 'bigint[]', '{9223372036854775807,NULL}'],
  ['bytes', 'bytea', '\\x00ff10'],
  ['a uuid', 'uuid', '00000000-0000-0000-0000-000000000000'],
]

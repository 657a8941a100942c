// What may be done with a resource.
import type { Case } from './case.ts'

const allows = (section: string, path: string, allow: string): Case => ({
  section,
  request: { method: 'OPTIONS', path },
  expect: { status: 200, text: '', headers: { allow } },
})
const TABLE = 'options: tables'
const VIEW = 'options: views'
const FUNCTION = 'options: functions'
const ALL = 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'
const CHANGES = 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'
const READ = 'OPTIONS,GET,HEAD'

export const OPTIONS: readonly Case[] = [
  allows(TABLE, '/films', ALL),
  allows(TABLE, '/secrets', ALL),
  allows(TABLE, '/box_office', ALL),
  allows(TABLE, '/events', CHANGES),
  allows(TABLE, '/Odd%20Names', ALL),
  {
    section: TABLE,
    request: { method: 'OPTIONS', path: '/nowhere' },
    expect: { status: 404, error: { code: 'PGRST205' } },
  },
  allows(VIEW, '/classics', ALL),
  allows(VIEW, '/film_titles', CHANGES),
  allows(VIEW, '/ledger', ALL),
  allows(VIEW, '/film_list', READ),
  allows(VIEW, '/per_year', READ),
  allows(VIEW, '/film_snapshot', READ),
  allows(VIEW, '/notes_all', ALL),
  allows(FUNCTION, '/rpc/nothing_void', 'OPTIONS,POST'),
  allows(FUNCTION, '/rpc/get_films', 'OPTIONS,GET,HEAD,POST'),
  allows(FUNCTION, '/rpc/a_json', 'OPTIONS,GET,HEAD,POST'),
  allows('options: root', '/', READ),
]

// A session for SQL that a user writes, in PGlite's only one: what the user's statements leave there is removed.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { EngineFailure } from '../engine.ts'
import {
  messageOf,
  MOST_BYTES,
  OutcomeReader,
  provideExtensions,
  type SqlOutcome,
  type SqlSession,
  type SqlSessionOptions,
} from '../sql-session.ts'
import { openWatch, type Watch } from './cancellation.ts'
import type { PgliteEngine } from './engine.ts'
import { RETURN_TO_OWNER } from './logins.ts'

const { Parser, serialize } = protocol

/** PGlite's types require a callback. */
const NO_CALLBACK = { onRawData: () => undefined }
Reflect.deleteProperty(NO_CALLBACK, 'onRawData')

/** A canceled statement only ended with the engine. */
const STUCK_ERROR = {
  code: '57014',
  message: 'canceling statement due to user request',
  hint: 'The statement did not end when it was canceled, so the database was reopened. What was committed is kept.',
}

/** A database in memory has them there. */
const TEMPORARY_FILES = `set temp_file_limit = '1GB'`

/** Runs work in a session of the engine; no other work uses it until then. */
export async function withPgliteSession<T>(
  engine: PgliteEngine,
  options: SqlSessionOptions,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const { driver } = engine
  const belongings = await readBelongings(driver)
  await driver.exec(TEMPORARY_FILES)
  const watch = await openWatch(driver, options)
  const session: SqlSession = {
    run: (sql, maxRows) => runStatement(engine, watch, sql, maxRows),
    get canceledBy() {
      return watch.canceledBy
    },
  }
  const workThenRollBack = async () => {
    try {
      return await work(session)
    } finally {
      if (!engine.failure) await driver.execProtocolRaw(serialize.query('rollback'))
    }
  }
  try {
    return await (options.login === 'owner' ? workThenRollBack() : engine.asAuthenticator(workThenRollBack))
  } finally {
    if (!engine.failure) await cleanUp(engine, belongings)
  }
}

async function runStatement(
  engine: PgliteEngine,
  watch: Watch,
  sql: string,
  maxRows: number,
): Promise<SqlOutcome> {
  const text = await provideExtensions(engine, sql)
  const reader = new OutcomeReader(maxRows, () => watch.cancel('size'), text === sql)
  const parser = new Parser()
  let bytes = 0
  const onRawData = (data: Uint8Array) => {
    bytes += data.byteLength
    if (bytes > MOST_BYTES) watch.cancel('size')
    // The parser reads its whole buffer, so it gets a copy of the bytes alone.
    parser.parse(data.slice().buffer, message => read(reader, message))
  }
  const request = Buffer.concat([
    serialize.parse({ text }),
    serialize.bind({}),
    serialize.describe({ type: 'P' }),
    // The additional row shows whether there are more.
    serialize.execute({ rows: maxRows + 1 }),
    serialize.sync(),
  ])
  engine.interruptible(watch.run)
  try {
    await engine.driver.execProtocolRawStream(request, { onRawData })
    return reader.end()
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    const { code, hint, message } = error
    return {
      ...reader.end('lost'),
      error: messageOf(watch.canceledBy === undefined ? { code, hint, message } : STUCK_ERROR),
    }
  } finally {
    engine.interruptible(undefined)
    // PGlite would pass the bytes of later messages to the callback, too, and return none.
    if (!engine.failure) await engine.driver.execProtocolRawStream(new Uint8Array(), NO_CALLBACK)
  }
}

function read(reader: OutcomeReader, message: { readonly name: string }): void {
  if (message instanceof messages.RowDescriptionMessage)
    reader.describe(
      message.fields.map(({ name, tableID, columnID, dataTypeID, dataTypeModifier }) => ({
        name,
        tableId: tableID,
        columnId: columnID,
        typeId: dataTypeID,
        typeModifier: dataTypeModifier,
      })),
    )
  else if (message instanceof messages.DataRowMessage) reader.row(message.fields)
  else if (message instanceof messages.CommandCompleteMessage) reader.complete(message.text)
  else if (message instanceof messages.DatabaseError) reader.fail(message)
  else if (message instanceof messages.NoticeMessage) reader.notice(message)
  else if (message instanceof messages.ReadyForQueryMessage) reader.ready(message.status)
}

/** What the session has that is not the user's: prepared statements of drivers, and channels of the backend. */
interface Belongings {
  readonly prepared: readonly string[]
  readonly channels: readonly string[]
}

async function readBelongings(driver: PGlite): Promise<Belongings> {
  const { rows } = await driver.query<Belongings>(
    `select array(select name from pg_prepared_statements) as prepared, array(select pg_listening_channels()) as channels`,
  )
  return rows[0] ?? { prepared: [], channels: [] }
}

/** Leaves only what the session had before. */
async function cleanUp({ driver }: PgliteEngine, { prepared, channels }: Belongings): Promise<void> {
  await driver.exec(`${RETURN_TO_OWNER}; reset all; close all; discard temp; select pg_advisory_unlock_all()`)
  const { rows } = await driver.query<{ statement: string }>(
    `select format('deallocate %I', name) as statement from pg_prepared_statements where name <> all ($1)
     union all select format('unlisten %I', channel) from pg_listening_channels() as channel where channel <> all ($2)
     union all select format('listen %I', channel) from unnest($2::text[]) as channel
       where channel not in (select pg_listening_channels())`,
    [prepared, channels],
  )
  for (const { statement } of rows) await driver.exec(statement)
}

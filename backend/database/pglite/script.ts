// A script on PGlite, which counts the statements that complete.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { ScriptError } from '../engine.ts'

/** @throws ScriptError if a statement fails */
export async function runScript(
  driver: Pick<PGlite, 'execProtocol' | 'runExclusive'>,
  sql: string,
): Promise<void> {
  const query = protocol.serialize.query(sql)
  const { messages: answers } = await driver.runExclusive(() =>
    driver.execProtocol(query, { throwOnError: false }),
  )
  const failure = answers.find(answer => answer instanceof messages.DatabaseError)
  if (!failure) return
  const completed = answers.filter(answer => answer instanceof messages.CommandCompleteMessage)
  throw new ScriptError(completed.length, failure)
}

// Reports of the workbench itself, to the store of the backend that it is connected to.
import type { ChartroomClient, RecordedClient } from '../../client/index.ts'
import { reportTo, type Reported, type Reporter } from '../../reports/index.ts'
import { keepByClient } from '../storage/index.ts'

const reporters = keepByClient<Reporter>()

const isRecorded = (client: ChartroomClient): client is RecordedClient => client.recording !== undefined

/**
 * Reports what the client did in the last minutes. Resolves with why not, as a sentence; with undefined if the report is
 * stored, from where it is sent in the background.
 */
export async function reportHere(client: ChartroomClient, note: string): Promise<string | undefined> {
  if (!isRecorded(client)) return 'This page records nothing, so that there is nothing to send.'
  try {
    return problemIn(await reporterOf(client).report({ note }))
  } catch {
    return NOT_SAVED
  }
}

/** Each backend has its own outbox, so that no report reaches another one. */
const reporterOf = (client: RecordedClient): Reporter =>
  reporters.of(client, 'reporter', () => reportTo(client, { database: `chartroom.reports ${client.url}` }))

const NOT_SAVED = 'The report could not be saved.'

function problemIn(outcome: Reported): string | undefined {
  if (outcome.kind === 'stored' || outcome.kind === 'sent') return undefined
  if (outcome.kind === 'declined') return 'This browser has sent as many reports today as it can.'
  return `${NOT_SAVED} ${outcome.failure.message}`
}

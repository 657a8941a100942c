// The changes of groups of a client, kept while other pages are shown.
import type { ChartroomClient } from '../../../services/client/index.ts'
import { TriageStore } from '../../../services/workbench/reports/index.ts'
import { keepByClient, userOf } from '../../../services/workbench/storage/index.ts'
import { workRecordings } from '../work-recordings.ts'

const kept = keepByClient<TriageStore>()

/** One store per user, so that the notes that one user typed are not shown to another. */
export const triageOf = (client: ChartroomClient): TriageStore =>
  kept.of(
    client,
    userOf(client),
    () => new TriageStore(client, (name, job) => workRecordings(client).add(name, job)),
  )

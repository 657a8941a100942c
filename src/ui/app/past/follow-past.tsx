// Shows in the app what the console shows of the past: a line, and the status of that moment.
import type { ChartroomClient } from '../../../services/client/index.ts'
import { keepByClient } from '../../../services/workbench/storage/index.ts'
import type { OnMoment } from '../../console/index.ts'
import { workRecordings } from '../work-recordings.ts'
import { createPast, type Past } from './past.ts'
import { PastLine } from './past-line.tsx'

const pasts = keepByClient<Past>()

/** Returns the function that receives the moments of consoles that show the client's recording. */
export function followPast(client: ChartroomClient): OnMoment {
  const past = pasts.of(client, 'past', () => show(createPast(client), client))
  return past.show
}

function show(past: Past, client: ChartroomClient): Past {
  const line = <PastLine past={past} />
  past.subscribe(() => {
    const state = past.state()
    workRecordings(client).showPast(state && { line, client: state.isShown ? past.client : client })
  })
  return past
}

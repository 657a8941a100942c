// The corpus: situations, and the answer that a person expects of each.
import { realtime } from './realtime.ts'
import { requests } from './requests.ts'
import { sessionEnds } from './session-ends.ts'
import { sideBySide } from './side-by-side.ts'
import { strangers } from './strangers.ts'
import { uploads } from './uploads.ts'
import { workbench } from './workbench.ts'
import type { Situation } from './situation.ts'

export const CORPUS: readonly Situation[] = [
  ...sideBySide,
  ...sessionEnds,
  ...requests,
  ...realtime,
  ...uploads,
  ...workbench,
  ...strangers,
]

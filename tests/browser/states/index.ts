// All acts, in the order of the walk: each opens its own page and can be seen alone.
import { account, connections, frame } from './account.ts'
import { functions, realtime } from './calls.ts'
import { attached, docked, little, ownWindow, phone } from './console.ts'
import { access, hosted, notice, table, tools } from './data.ts'
import { failures } from './faults.ts'
import { files } from './files.ts'
import { keyboard } from './keyboard.ts'
import { recording } from './recording.ts'
import { otherPages, newcomers, secondFactor, signInForms } from './sign-in.ts'
import type { Act } from './state.ts'

/** What the tests look at, by area: one test file each, so that workers share the load. */
export const AREAS = {
  frame: { 'sign-in': signInForms, 'other-pages': otherPages, newcomers, frame, connections, account, files },
  data: { data: table, notice, tools, hosted, access, functions, realtime, faults: failures },
  console: { console: docked, 'own-window': ownWindow, attached, little, phone, recording },
  /** The mate needs a code from then on. */
  last: { 'second-factor': secondFactor },
} as const satisfies Record<string, Record<string, Act>>

export const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  // In a new product: it changes rows that other acts find.
  ['keyboard', keyboard],
  ...Object.values(AREAS).flatMap(acts => Object.entries(acts)),
])

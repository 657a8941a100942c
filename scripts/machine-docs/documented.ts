// Every machine with what its page says: structure, purpose, and what it ignores.
import type { AnyStateMachine } from 'xstate'
import { machineChart } from '../../src/services/machine-chart.ts'
import type { ChartState, MachineChart } from '../../src/trace/format.ts'
import { heardBy } from './heard.ts'
import { machines, type Machines } from './machines.ts'
import { ignoredPairs, type Heard, type Pair } from './pairs.ts'

export interface Documented {
  readonly id: keyof Machines
  readonly chart: MachineChart
  /** What the machine is, in a sentence or two. */
  readonly about: string
  readonly heard: Heard
  /** What nobody handles though it can come. */
  readonly pairs: readonly Pair[]
}

const about: { readonly [Id in keyof Machines]: string } = {
  client:
    'The root: owns the others, carries word between them, and keeps the gate through which they go out.',
  session:
    'Who is signed in, from the boot to the reason of the end, with the work on the account one by one.',
  refresh: 'When to refresh the token: a schedule, its pauses, what follows from failures, and a breaker.',
  attempt: 'One attempt to refresh, under the lock that all tabs share and after a look at what they stored.',
  tab: 'One tab among those of a session: stands for leadership and tells the others what it stores.',
  requests:
    'All requests: lets so many at a time go out, the most urgent first, and lets each go when it settled.',
  request:
    'One HTTP request: waits for the right to go out, is sent, re-authorised once, retried where safe, settled.',
  realtime: 'One connection and a channel for each topic in use, and the word between them.',
  connection:
    'The realtime socket: opened when it is wanted and a fresh token is at hand, watched, and reopened.',
  channel:
    'One topic: its join, its row changes, its presence, and whether what the app shows may be behind.',
  uploads: 'The list of uploads: lets a few at a time go on, and keeps how each ended.',
  upload:
    'One file on its way into a bucket: judged, looked for by its name, sent whole or in parts, gone on with after breaks.',
  rowImport:
    'One import of rows into a table: batches one after the other, halved where they are refused until the bad rows are known.',
  rowExport: 'One export of rows: page after page until there are no more, gone on with after breaks.',
  rowComparison:
    'One comparison of the rows that several accounts see: all pages of each account, then every difference once more.',
  rowDeletion:
    'One deletion of rows: a while in which it can be taken back, then it is sent, and told when it is refused.',
  rowEdits: 'The edits of one table by one user: of each row one after another, and none in another’s name.',
  rowEdit:
    'One change of a row’s cells, or a row that a form writes: waits for its turn, is written, tried again after a silence, refused, or crossed by another’s.',
  functionCall:
    'One call of a function: sent, answered, read to its end or to where it broke off, and measured.',
  fileJob:
    'One deletion, move or copy of files: counted, done in portions, asked about what is in the way, tried again.',
  retries:
    'What the pages of a client ask again by themselves: each a while after it failed, all at once when the device is online again.',
  survey: 'One look at a host: what its five families answer, until all did or time is up.',
}

export const documented: readonly Documented[] = Object.entries(machines).map(([name, machine]) => {
  const id = name as keyof Machines
  const chart = machineChart(machine as unknown as AnyStateMachine)
  const heard = heardBy(id, runs(chart.root))
  return { id, chart, about: about[id], heard, pairs: ignoredPairs(chart, heard) }
})

function runs(state: ChartState): string[] {
  return [...state.invoke.map(({ src }) => src), ...state.states.flatMap(runs)]
}

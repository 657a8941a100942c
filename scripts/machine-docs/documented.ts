// Every machine with the content of its page: structure, purpose, and ignored events.
import type { AnyStateMachine } from 'xstate'
import { machineChart } from '../../src/services/runtime/machine-chart.ts'
import type { ChartState, MachineChart } from '../../src/trace/format/chart.ts'
import { acceptedBy } from './accepted-events.ts'
import { machines, type Machines } from './machines.ts'
import { ignoredPairs, type AcceptedEvents, type Pair } from './pairs.ts'

export interface Documented {
  readonly id: keyof Machines
  readonly chart: MachineChart
  /** Describes the machine in a sentence or two. */
  readonly about: string
  readonly accepted: AcceptedEvents
  /** Pairs that no state handles although they can occur. */
  readonly pairs: readonly Pair[]
}

const about: { readonly [Id in keyof Machines]: string } = {
  client: 'The root: owns the other machines, routes events between them, and gates their requests.',
  session:
    'The signed-in user, from startup to the end of the session; runs account operations one at a time.',
  refresh: 'When to refresh the token: the schedule, pauses, reactions to failures, and a circuit breaker.',
  attempt: 'One refresh attempt, under the lock shared by all tabs and after checking what they stored.',
  tab: 'One tab among those that share a session: competes for leadership and announces the tokens it stores.',
  apiKey:
    'The API key: doubted when a request is refused for it, confirmed by a check, and checked again when the user returns or enters another.',
  requests:
    'All requests: limits concurrency, starts the most urgent first, and frees a slot when one settles.',
  request:
    'One HTTP request: waits for permission, is sent, re-authorized once, retried where safe, and settled.',
  realtime: 'One connection and one channel per topic in use; routes events between them.',
  connection:
    'The realtime socket: opened when needed and a fresh token is available, monitored, and reopened.',
  channel:
    'One topic: its join, row changes, presence, and whether the data that the app shows may be stale.',
  uploads: 'The list of uploads: runs a few at a time and records how each ended.',
  upload:
    'One file upload to a bucket: validated, checked for name conflicts, sent whole or in parts, and resumed after interruptions.',
  reporter: 'Reports of problems: decides whether one may be made, and captures the recording.',
  reportDelivery:
    'Delivery of captured reports, one after the other, until the backend has accepted or refused each.',
  rowImport:
    'One import of rows into a table: sent batch by batch; a rejected batch is halved until the bad rows are found.',
  rowExport: 'One export of rows: reads page after page to the end, and resumes after interruptions.',
  rowComparison:
    'One comparison of the rows that several accounts see: reads all pages of each account, then checks every difference again.',
  accessReview:
    'One access review: tries what each account may read, write and call, one resource after the other.',
  rowDeletion: 'One deletion of rows: can be undone for a while, is then sent, and reports a refusal.',
  rowEdits:
    'The edits of one table by one user: in sequence for each row, and never under another user’s name.',
  rowEdit:
    'One change to a row’s cells, or a row written by a form: waits for its turn, is written, retried without a response, refused, or in conflict with another user’s change.',
  functionCall: 'One function call: sent, answered, read to its end or to the interruption, and measured.',
  fileJob:
    'One deletion, move or copy of files: counted, done in batches, paused to ask about conflicts, retried.',
  retries:
    'Automatic retries of a client’s pages: each after a delay, and all at once when the device is online again.',
  groupChange:
    'One change of a group of reports: compared with what others wrote, saved, or taken back with a reason.',
  signIn:
    'The sign-in page: its form, the running attempt and why the last one failed, and then the second factor or new password that the session still needs.',
  newPassword: 'Setting a password, with a code by email if the sign-in is too old.',
  backendHealth:
    'Whether a client’s backend responds: suspected from its calls, confirmed by a check, and checked again until it responds.',
  survey: 'One check of a host: tests its five services until all have answered or time is up.',
}

export const documented: readonly Documented[] = Object.entries(machines).map(([name, machine]) => {
  const id = name as keyof Machines
  const chart = machineChart(machine as unknown as AnyStateMachine)
  const accepted = acceptedBy(id, runs(chart.root))
  return { id, chart, about: about[id], accepted, pairs: ignoredPairs(chart, accepted) }
})

function runs(state: ChartState): string[] {
  return [...state.invoke.map(({ src }) => src), ...state.states.flatMap(runs)]
}

// Which events a machine ignores in which states, and why; tests/model proves that the list is neither short nor long.
import type { Machines } from './machines.ts'

export interface Ignored {
  readonly event: string
  /** Paths of the states; `a.*` stands for all within `a`. */
  readonly states: readonly string[]
  readonly why: string
}

const NO_SESSION = ['booting.*', 'signedOut.*', 'authenticating', 'ending', 'signingOut.*']
const late = (event: string): Ignored => ({
  event,
  states: NO_SESSION,
  why: 'Word of a token whose session has ended, or is not yet there.',
})
const SCHEDULED = ['wakeCheck', 'inFlight', 'rateLimited', 'tripped', 'refused']
const UNCONNECTED = [
  'awaitingToken',
  'reauthBeforeReconnect',
  'classifying',
  'backoff',
  'denied',
  'suspended',
]

/** By machine. */
export const ignored: { readonly [Id in keyof Machines]: readonly Ignored[] } = {
  client: [],
  session: [
    late('token.due'),
    late('token.refreshing'),
    late('token.delayed'),
    late('token.expired'),
    late('token.refused'),
    late('token.rotated'),
    {
      event: 'stored.same',
      states: ['booting.*', 'signedOut.looking'],
      why: 'Answers a look at a token in hand; here there is none.',
    },
    {
      event: 'recovery.ended',
      states: [...NO_SESSION, 'authenticated.recovery.none'],
      why: 'There is no recovery to end.',
    },
  ],
  refresh: [
    { event: 'refresh.request', states: ['idle'], why: 'Without a session there is nothing to refresh.' },
    { event: 'token.needed', states: ['idle'], why: 'Without a session there is nothing to refresh.' },
    { event: 'token.adopted', states: ['idle'], why: 'The session has ended meanwhile.' },
    {
      event: 'environment.woke',
      states: ['idle', ...SCHEDULED.map(state => `active.schedule.${state}`)],
      why: 'A look is under way, or nothing may be tried before its time.',
    },
  ],
  attempt: [
    { event: 'lock.held', states: ['locked.*'], why: 'The lock is held already, or there is none.' },
    { event: 'lock.unavailable', states: ['locked.*'], why: 'The lock is held already, or there is none.' },
    {
      event: 'port.broken',
      states: ['locked.spreading'],
      why: 'Only the lock runs here, and the attempt goes on without it.',
    },
  ],
  tab: [
    {
      event: 'environment.woke',
      states: ['frozen', 'awake.*'],
      why: 'Leadership and word between tabs outlive sleep; the refresh looks at the storage.',
    },
    { event: 'token.adopted', states: ['frozen'], why: 'Other tabs see the storage change.' },
    { event: 'token.rotated', states: ['frozen'], why: 'Other tabs see the storage change.' },
    {
      event: 'port.broken',
      states: ['awake.idle', 'awake.resting', 'awake.alone'],
      why: 'Without word between tabs each still reads the storage before it spends a token.',
    },
    {
      event: 'leadership.lost',
      states: ['awake.standing.electing', 'awake.standing.follower'],
      why: 'Only a leader can lose it.',
    },
  ],
  requests: [],
  request: [
    {
      event: 'request.granted',
      states: ['awaitingToken', 'exchanging.*', 'reauthorising', 'pausing'],
      why: 'A place is kept for those that queue; who left the queue gives it back by saying where it is.',
    },
  ],
  realtime: [],
  connection: [
    {
      event: 'environment.woke',
      states: ['idle', ...UNCONNECTED, 'attached.connecting', 'attached.probing'],
      why: 'There is no open socket to doubt.',
    },
    {
      event: 'connection.want',
      states: [...UNCONNECTED, ...['connecting', 'open', 'hidden', 'probing'].map(at => `attached.${at}`)],
      why: 'It is wanted already.',
    },
    {
      event: 'socket.alive',
      states: ['attached.connecting', 'attached.open', 'attached.hidden', 'attached.lingering'],
      why: 'Answers a probe that is no longer waited for.',
    },
    {
      event: 'socket.silent',
      states: ['attached.connecting', 'attached.probing'],
      why: 'It is doubted already, with a deadline.',
    },
    { event: 'socket.opened', states: ['attached.*'], why: 'A socket opens once.' },
    { event: 'socket.stale', states: ['attached.*'], why: 'Said instead of opening.' },
  ],
  channel: [
    {
      event: 'channel.rejoin',
      states: ['life.waiting', 'life.awaitingToken', 'life.retrying', 'life.denied'],
      why: 'The next join comes anyway, or is refused for good.',
    },
    {
      event: 'channel.want',
      states: ['life.waiting', 'life.awaitingToken', 'life.attached.*', 'life.retrying'],
      why: 'The topic is joined, or will be in its time.',
    },
    { event: 'topic.joined', states: ['life.attached.joined'], why: 'A topic is joined once.' },
  ],
  uploads: [],
  upload: [
    {
      event: 'upload.answer',
      states: ['looking', 'sending.moving', 'sending.still', 'backingOff', 'stranded', 'paused', 'ready'],
      why: 'Nothing is asked, or not any more.',
    },
    {
      event: 'upload.granted',
      states: ['looking', 'sending.moving', 'sending.still', 'backingOff', 'stranded', 'paused', 'asking'],
      why: 'It has a place already, or has given it away.',
    },
    {
      event: 'upload.resume',
      states: ['looking', 'sending.moving', 'sending.still', 'backingOff', 'stranded', 'ready', 'asking'],
      why: 'It is not paused.',
    },
    { event: 'upload.pause', states: ['paused', 'asking'], why: 'It stands still already.' },
  ],
  rowImport: [
    {
      event: 'import.again',
      states: ['sending', 'waiting', 'paused'],
      why: 'No batch is in doubt.',
    },
    {
      event: 'import.leave',
      states: ['sending', 'waiting', 'paused'],
      why: 'No batch is in doubt.',
    },
    { event: 'import.pause', states: ['doubtful', 'paused'], why: 'It stands still already.' },
    {
      event: 'import.resume',
      states: ['doubtful'],
      why: 'Whether the batch is sent again must be said first.',
    },
  ],
  rowExport: [
    { event: 'export.pause', states: ['paused', 'stopped'], why: 'It stands still already.' },
    { event: 'export.resume', states: ['reading'], why: 'It goes on already.' },
  ],
  rowComparison: [],
  rowDeletion: [
    { event: 'deletion.send', states: ['sending'], why: 'It is on its way.' },
    { event: 'deletion.drop', states: ['sending'], why: 'What is on its way can’t be taken back.' },
  ],
  rowEdits: [
    { event: 'edits.allow', states: ['going'], why: 'They may go already.' },
    { event: 'edits.hold', states: ['held'], why: 'They stand still already.' },
  ],
  rowEdit: [
    {
      event: 'edit.granted',
      states: ['sending', 'waiting', 'refused', 'conflicting'],
      why: 'It has had its turn, or can’t go as it is.',
    },
    { event: 'edit.retry', states: ['queued', 'sending'], why: 'It goes by itself.' },
    { event: 'edit.changed', states: ['sending'], why: 'What is on its way does not change any more.' },
    { event: 'edit.drop', states: ['sending'], why: 'What is on its way can’t be taken back.' },
  ],
  functionCall: [
    { event: 'call.answered', states: ['watched.calling.receiving'], why: 'It is answered once.' },
    { event: 'answer.moved', states: ['watched.calling.sending'], why: 'Said of an answer that has begun.' },
    { event: 'answer.ended', states: ['watched.calling.sending'], why: 'Said of an answer that has begun.' },
    { event: 'call.stop', states: ['watched.measuring'], why: 'It is over; all has come.' },
  ],
  fileJob: [
    {
      event: 'job.recount',
      states: ['ready', 'busy.*', 'waiting', 'asking', 'ended'],
      why: 'It is counted.',
    },
    {
      event: 'job.begin',
      states: ['counting', 'uncounted', 'busy.*', 'waiting', 'asking', 'ended'],
      why: 'It is begun already, or nobody knows yet how much it is.',
    },
    {
      event: 'job.stop',
      states: ['counting', 'uncounted', 'ready', 'busy.stopping', 'ended'],
      why: 'Nothing is under way, or it is stopped already.',
    },
    {
      event: 'job.answer',
      states: ['counting', 'uncounted', 'ready', 'busy.*', 'waiting', 'ended'],
      why: 'Nothing is asked.',
    },
    {
      event: 'job.again',
      states: ['counting', 'uncounted', 'ready', 'busy.*', 'waiting', 'asking'],
      why: 'It has not come to an end.',
    },
    {
      event: 'job.resume',
      states: ['counting', 'uncounted', 'ready', 'busy.*', 'asking', 'ended'],
      why: 'There is no pause.',
    },
  ],
  retries: [
    { event: 'retries.wake', states: ['calm'], why: 'Nothing waits.' },
    { event: 'retry.drop', states: ['calm'], why: 'It was asked again already.' },
    { event: 'retry.due', states: ['calm'], why: 'Whoever wanted to know has gone.' },
  ],
  survey: [{ event: 'survey.again', states: ['asking'], why: 'All are being asked.' }],
}

/** Whether a pattern of the list means the state. */
export const means = (pattern: string, state: string): boolean =>
  pattern === state || (pattern.endsWith('.*') && state.startsWith(pattern.slice(0, -1)))

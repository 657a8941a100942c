// Which events a machine ignores in which states, and why; tests/model proves that the list is complete and
// minimal.
import type { Machines } from './machines.ts'

export interface Ignored {
  readonly event: string
  /** State paths; `a.*` matches all states within `a`. */
  readonly states: readonly string[]
  readonly why: string
}

const NO_SESSION = ['booting.*', 'signedOut.*', 'authenticating', 'ending', 'signingOut.*']
const late = (event: string): Ignored => ({
  event,
  states: NO_SESSION,
  why: "The token's session has ended or does not exist yet.",
})
const UNCONNECTED = [
  'awaitingToken',
  'reauthBeforeReconnect',
  'classifying',
  'backingOff',
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
      states: ['booting.*', 'signedOut.checkingStorage'],
      why: 'Responds to a check of a current token; here there is none.',
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
    { event: 'token.adopted', states: ['idle'], why: 'The session has ended in the meantime.' },
    { event: 'environment.woke', states: ['idle'], why: 'Without a session there is nothing to refresh.' },
  ],
  attempt: [
    { event: 'lock.held', states: ['locked.*'], why: 'The lock is already held, or there is none.' },
    { event: 'lock.unavailable', states: ['locked.*'], why: 'The lock is already held, or there is none.' },
    {
      event: 'port.broken',
      states: ['locked.waitingWithoutLock'],
      why: 'Only the lock runs here; the attempt continues without it.',
    },
  ],
  tab: [
    {
      event: 'environment.woke',
      states: ['frozen', 'awake.*'],
      why: 'Leadership and tab messaging survive sleep; the refresh reads the storage.',
    },
    { event: 'token.adopted', states: ['frozen'], why: 'Other tabs see the storage change.' },
    { event: 'token.rotated', states: ['frozen'], why: 'Other tabs see the storage change.' },
    {
      event: 'port.broken',
      states: ['awake.idle', 'awake.yielded', 'awake.alone'],
      why: 'Without tab messaging, each tab still reads the storage before it uses a refresh token.',
    },
    {
      event: 'leadership.lost',
      states: ['awake.competing.electing', 'awake.competing.follower'],
      why: 'Only a leader can lose leadership.',
    },
  ],
  apiKey: [
    {
      event: 'environment.woke',
      states: ['accepted', 'checking', 'trusted', 'rejected.resting', 'rejected.rechecking'],
      why: 'No check of a rejected key is due.',
    },
    {
      event: 'key.accepted',
      states: ['accepted', 'checking', 'trusted', 'rejected.resting', 'rejected.rechecking'],
      why: 'A check decides, or has just decided; the request may be older.',
    },
    { event: 'key.check', states: ['checking'], why: 'A check is already running.' },
  ],
  requests: [],
  request: [
    {
      event: 'request.granted',
      states: ['awaitingToken', 'exchanging.*', 'reauthorizing', 'backingOff'],
      why: 'Slots are granted to queued requests; a request that left the queue releases its slot when it reports its state.',
    },
  ],
  realtime: [],
  connection: [
    {
      event: 'environment.woke',
      states: ['idle', ...UNCONNECTED, 'attached.connecting', 'attached.probing'],
      why: 'There is no open socket to check.',
    },
    {
      event: 'connection.open',
      states: [...UNCONNECTED, ...['connecting', 'open', 'hidden', 'probing'].map(at => `attached.${at}`)],
      why: 'The connection is already requested.',
    },
    {
      event: 'socket.alive',
      states: ['attached.connecting', 'attached.open', 'attached.hidden', 'attached.lingering'],
      why: 'Responds to a probe that is no longer pending.',
    },
    {
      event: 'socket.silent',
      states: ['attached.connecting', 'attached.probing'],
      why: 'A deadline for this socket is already running.',
    },
    { event: 'socket.opened', states: ['attached.*'], why: 'A socket opens once.' },
    { event: 'socket.stale', states: ['attached.*'], why: 'Only sent instead of opening.' },
  ],
  channel: [
    {
      event: 'channel.rejoin',
      states: [
        'membership.waitingForConnection',
        'membership.awaitingToken',
        'membership.backingOff',
        'membership.denied',
      ],
      why: 'The next join is already scheduled, or was refused permanently.',
    },
    {
      event: 'channel.retry',
      states: [
        'membership.waitingForConnection',
        'membership.awaitingToken',
        'membership.attached.*',
        'membership.backingOff',
      ],
      why: 'The topic is joined, or a join is pending.',
    },
    { event: 'topic.joined', states: ['membership.attached.joined'], why: 'A topic is joined once.' },
  ],
  uploads: [],
  upload: [
    {
      event: 'upload.answer',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'paused',
        'ready',
      ],
      why: 'No question is open.',
    },
    {
      event: 'upload.granted',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'paused',
        'asking',
      ],
      why: 'It already has a slot, or has released it.',
    },
    {
      event: 'upload.resume',
      states: [
        'checkingName',
        'sending.progressing',
        'sending.stalled',
        'backingOff',
        'waitingForNetwork',
        'ready',
        'asking',
      ],
      why: 'It is not paused.',
    },
    { event: 'upload.pause', states: ['paused', 'asking'], why: 'It is already paused.' },
  ],
  rowImport: [
    {
      event: 'import.retry',
      states: ['sending', 'backingOff', 'paused'],
      why: 'No batch is in doubt.',
    },
    {
      event: 'import.skip',
      states: ['sending', 'backingOff', 'paused'],
      why: 'No batch is in doubt.',
    },
    { event: 'import.pause', states: ['unconfirmed', 'paused'], why: 'It is already paused.' },
    {
      event: 'import.resume',
      states: ['unconfirmed'],
      why: 'The user must first decide whether to resend the batch.',
    },
  ],
  rowExport: [
    { event: 'export.pause', states: ['paused', 'failed'], why: 'It is already paused.' },
    { event: 'export.resume', states: ['reading'], why: 'It is already running.' },
  ],
  rowComparison: [],
  accessReview: [{ event: 'review.retry', states: ['reviewing'], why: 'It is already running.' }],
  signIn: [
    ...[
      'form.submit',
      'code.resend',
      'confirmation.resend',
      'guest.signIn',
      'passkey.signIn',
      'provider.open',
    ].map(event => ({
      event,
      states: ['signedOut.attempt.busy.*', 'secondFactor.*', 'newPassword'],
      why: 'An attempt is running, or has succeeded.',
    })),
    {
      event: 'form.choose',
      states: ['secondFactor.*', 'newPassword'],
      why: 'The forms are hidden while a session exists.',
    },
    {
      event: 'form.changed',
      states: [
        'signedOut.attempt.ready.idle',
        'signedOut.attempt.busy.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.entering',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      why: 'No failure of this form is shown.',
    },
    {
      event: 'factor.choose',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      why: 'No factor can be chosen in this state.',
    },
    {
      event: 'factor.verify',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.unavailable',
        'secondFactor.verifying',
        'secondFactor.verified',
        'newPassword',
      ],
      why: 'No factor is being entered.',
    },
    {
      event: 'factor.retry',
      states: [
        'signedOut.*',
        'secondFactor.loading',
        'secondFactor.entering',
        'secondFactor.verifying',
        'secondFactor.verified',
        'secondFactor.failed.*',
        'newPassword',
      ],
      why: 'Loading the factors has not failed.',
    },
    { event: 'step.skip', states: ['signedOut.*'], why: 'Without a session there is nothing to skip.' },
  ],
  newPassword: [
    {
      event: 'password.save',
      states: ['saving', 'requestingCode'],
      why: 'One request at a time.',
    },
    { event: 'code.request', states: ['saving', 'requestingCode'], why: 'One request at a time.' },
    {
      event: 'password.changed',
      states: ['entering', 'saving', 'requestingCode'],
      why: 'No failure is shown.',
    },
  ],
  rowDeletion: [
    { event: 'deletion.send', states: ['sending'], why: 'It is already being sent.' },
    { event: 'deletion.cancel', states: ['sending'], why: 'A deletion that is being sent can’t be undone.' },
  ],
  rowEdits: [
    { event: 'edits.start', states: ['active'], why: 'They are already active.' },
    { event: 'edits.pause', states: ['paused'], why: 'They are already paused.' },
  ],
  rowEdit: [
    {
      event: 'edit.granted',
      states: ['sending', 'blocked.*'],
      why: 'It has had its turn, or can’t be sent in this state.',
    },
    { event: 'edit.retry', states: ['queued', 'sending'], why: 'It is sent automatically.' },
    { event: 'edit.changed', states: ['sending'], why: 'An edit that is being sent no longer changes.' },
    { event: 'edit.cancel', states: ['sending'], why: 'An edit that is being sent can’t be undone.' },
  ],
  functionCall: [
    { event: 'response.started', states: ['running.calling.receiving'], why: 'A call has one response.' },
    {
      event: 'response.progressed',
      states: ['running.calling.sending'],
      why: 'Only applies once a response has begun.',
    },
    {
      event: 'response.ended',
      states: ['running.calling.sending'],
      why: 'Only applies once a response has begun.',
    },
    {
      event: 'call.cancel',
      states: ['running.measuring'],
      why: 'The call is over; the response is complete.',
    },
  ],
  groupChange: [
    {
      event: 'groups.read',
      states: ['comparing', 'saving', 'invalid', 'conflicted', 'failed'],
      why: 'Only a saved change is in the groups that were read.',
    },
    {
      event: 'change.dismiss',
      states: ['comparing', 'saving', 'saved'],
      why: 'There is no failure to dismiss.',
    },
  ],
  fileJob: [
    {
      event: 'job.recount',
      states: ['ready', 'running.*', 'backingOff', 'asking', 'ended'],
      why: 'The files are already counted.',
    },
    {
      event: 'job.start',
      states: ['counting', 'uncounted', 'running.*', 'backingOff', 'asking', 'ended'],
      why: 'It has already begun, or its size is not known yet.',
    },
    {
      event: 'job.cancel',
      states: ['counting', 'uncounted', 'ready', 'running.canceling', 'ended'],
      why: 'Nothing is running, or it is already stopping.',
    },
    {
      event: 'job.answer',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'backingOff', 'ended'],
      why: 'No question is open.',
    },
    {
      event: 'job.retry',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'backingOff', 'asking'],
      why: 'It has not ended.',
    },
    {
      event: 'job.resume',
      states: ['counting', 'uncounted', 'ready', 'running.*', 'asking', 'ended'],
      why: 'It is not paused.',
    },
  ],
  reporter: [],
  reportDelivery: [
    {
      event: 'delivery.resume',
      states: ['announcing', 'attaching', 'settling'],
      why: 'A report is being delivered; the outbox is read again after it.',
    },
  ],
  retries: [
    { event: 'retries.flush', states: ['idle'], why: 'No retry is pending.' },
    { event: 'retry.cancel', states: ['idle'], why: 'It has already been retried.' },
    { event: 'retry.due', states: ['idle'], why: 'The requester is gone.' },
  ],
  survey: [{ event: 'survey.retry', states: ['running'], why: 'The check is already running.' }],
  backendHealth: [
    ...['backend.called', 'backend.answered', 'backend.check'].map(event => ({
      event,
      states: ['keyRejected'],
      why: 'The client checks the key; the backend responds.',
    })),
    { event: 'backend.called', states: ['responding.awaiting'], why: 'An earlier call already waits.' },
    { event: 'backend.called', states: ['checking', 'troubled.*'], why: 'The check decides.' },
    { event: 'backend.silent', states: ['checking', 'troubled.*'], why: 'The check decides.' },
    {
      event: 'backend.check',
      states: ['checking', 'troubled.attempt.checking'],
      why: 'A check is already running.',
    },
    {
      event: 'backend.called',
      states: ['offline'],
      why: 'Without a network, calls say nothing about the backend.',
    },
    { event: 'backend.answered', states: ['offline'], why: 'Only the return of the network ends it.' },
    { event: 'backend.silent', states: ['offline'], why: 'The network is the reason.' },
    { event: 'backend.check', states: ['offline'], why: 'It would fail.' },
  ],
}

/** Whether a pattern of the list matches the state. */
export const means = (pattern: string, state: string): boolean =>
  pattern === state || (pattern.endsWith('.*') && state.startsWith(pattern.slice(0, -1)))

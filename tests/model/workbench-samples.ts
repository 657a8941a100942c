// Examples of the events that the workbench's machines take in addition to the client's.
import type { Failure } from '../../src/machines/failure.ts'
import { FAMILIES, type FamilyReport } from '../../src/machines/workbench/survey.ts'

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const invalid: Failure = { kind: 'validation', message: 'null value in column "name"' }
const report: FamilyReport = { state: 'ok', ms: 12, detail: 'OK', facts: [] }

const file = { file: 0, path: 'a', message: 'no' }
const conflict = { file: 1, path: 'b', target: 'c/b' }

const failures: readonly Failure[] = [
  network,
  { kind: 'rateLimit', retryAfter: 7, message: 'Too many.' },
  ...[
    'weak_password',
    'captcha_failed',
    'email_not_confirmed',
    'user_already_exists',
    'invalid_credentials',
  ].map(code => ({ kind: 'auth', code, message: 'No.' }) as const),
]
const signedOut = { isAuthenticated: false, needsFactor: false, isRecovering: false }
const signedIn = { ...signedOut, isAuthenticated: true }

export const workbenchSamples = {
  'form.choose': (['password', 'link', 'phone', 'sso', 'signIn', 'signUp', 'recovery'] as const).map(
    form => ({ type: 'form.choose', form }) as const,
  ),
  'form.changed': [{ type: 'form.changed' }],
  'form.submit': [
    { type: 'form.submit', form: 'password', at: 0 },
    { type: 'form.submit', form: 'code', at: 100_000 },
  ],
  'code.resend': [0, 100_000].map(at => ({ type: 'code.resend', at }) as const),
  'confirmation.resend': [0, 100_000].map(at => ({ type: 'confirmation.resend', at }) as const),
  'guest.signIn': [{ type: 'guest.signIn' }],
  'passkey.signIn': [{ type: 'passkey.signIn' }],
  'provider.open': [{ type: 'provider.open', provider: 'github' }],
  'factor.choose': [{ type: 'factor.choose', factor: 'f2' }],
  'factor.verify': [0, 100_000].map(at => ({ type: 'factor.verify', at }) as const),
  'factor.retry': [{ type: 'factor.retry' }],
  'step.skip': [{ type: 'step.skip' }],
  'methods.changed': ([[], ['phone'], ['password', 'link', 'phone', 'sso']] as const).map(
    methods => ({ type: 'methods.changed', methods, acceptsNew: true }) as const,
  ),
  'session.changed': [
    signedIn,
    signedOut,
    { ...signedIn, needsFactor: true },
    { ...signedIn, isRecovering: true },
    { ...signedIn, needsFactor: true, isRecovering: true },
  ].map(session => ({ type: 'session.changed', session }) as const),
  'attempt.succeeded': [{ type: 'attempt.succeeded' }],
  'attempt.failed': failures.map(failure => ({ type: 'attempt.failed', failure, at: 1 }) as const),
  'code.sent': [{ type: 'code.sent', code: { kind: 'email', to: 'mate@harbour.test' } }],
  'factors.loaded': [
    {
      type: 'factors.loaded',
      factors: [
        { id: 'f1', name: 'Phone' },
        { id: 'f2', name: 'Key' },
      ],
    },
    { type: 'factors.loaded', factors: [] },
  ],
  'factors.failed': [{ type: 'factors.failed', failure: network }],
  'password.save': [0, 100_000].map(at => ({ type: 'password.save', at }) as const),
  'password.changed': [{ type: 'password.changed' }],
  'password.saved': [{ type: 'password.saved' }],
  'password.refused': [
    ...failures,
    { kind: 'auth', code: 'reauthentication_needed', message: 'Too old.' } as const,
  ].map(failure => ({ type: 'password.refused', failure, at: 1 }) as const),
  'code.request': [0, 100_000].map(at => ({ type: 'code.request', at }) as const),
  'code.requested': [{ type: 'code.requested' }],
  'response.ended': [{ type: 'response.ended', size: 2, duration: 7 }],
  'response.progressed': [{ type: 'response.progressed', size: 1 }],
  'batch.delayed': [
    { type: 'batch.delayed', failure: network },
    { type: 'batch.delayed', failure: { kind: 'rateLimit', retryAfter: 7, message: 'Too many.' } },
  ],
  'batch.lost': [{ type: 'batch.lost', failure: network }],
  'batch.refused': [true, false].map(
    hopeless => ({ type: 'batch.refused', failure: invalid, hopeless }) as const,
  ),
  'batch.written': [
    { type: 'batch.written', written: 2, skipped: 0 },
    { type: 'batch.written', written: 1, skipped: 1 },
  ],
  'response.started': [{ type: 'response.started', status: 200, kind: 'json' }],
  'call.failed': [{ type: 'call.failed', failure: network, size: 1, duration: 9 }],
  'call.requested': [{ type: 'call.requested', request: 'r7' }],
  'call.cancel': [{ type: 'call.cancel', duration: 5 }],
  'deletion.cancel': [{ type: 'deletion.cancel' }],
  'deletion.send': [{ type: 'deletion.send' }],
  'edit.changed': [
    { type: 'edit.changed', columns: ['mmsi'] },
    { type: 'edit.changed', columns: ['mmsi'], failure: { message: 'Too long.', retry: false } },
  ],
  'edit.cancel': [{ type: 'edit.cancel' }],
  'edit.ended': [{ type: 'edit.ended', id: 1 }],
  'edit.granted': [{ type: 'edit.granted' }],
  'edit.phaseChanged': (['queued', 'sending', 'backingOff', 'refused', 'conflict'] as const).map(
    phase => ({ type: 'edit.phaseChanged', id: 1, phase }) as const,
  ),
  'edit.retry': [{ type: 'edit.retry' }],
  'edits.add': [
    { type: 'edits.add', id: 1, key: '4', columns: ['name'] },
    { type: 'edits.add', id: 2, key: '4', columns: ['name'], failure: { message: 'No.', retry: false } },
  ],
  'edits.start': [{ type: 'edits.start' }],
  'edits.pause': [{ type: 'edits.pause' }],
  'edits.command': [
    { type: 'edits.command', id: 1, event: { type: 'edit.retry' } },
    { type: 'edits.command', id: 1, event: { type: 'edit.cancel' } },
    { type: 'edits.command', id: 1, event: { type: 'edit.changed', columns: ['mmsi'] } },
  ],
  'edits.retry': [{ type: 'edits.retry' }],
  'export.cancel': [{ type: 'export.cancel' }],
  'export.pause': [{ type: 'export.pause' }],
  'export.resume': [{ type: 'export.resume' }],
  'family.answered': FAMILIES.map(family => ({ type: 'family.answered', family, report }) as const),
  'files.counted': [{ type: 'files.counted', total: 3, bytes: 30 }],
  'files.found': [{ type: 'files.found', found: 2 }],
  'files.uncounted': [{ type: 'files.uncounted', failure: network }],
  'import.retry': [{ type: 'import.retry' }],
  'import.cancel': [{ type: 'import.cancel' }],
  'import.skip': [{ type: 'import.skip' }],
  'import.pause': [{ type: 'import.pause' }],
  'import.resume': [{ type: 'import.resume' }],
  'job.retry': [{ type: 'job.retry' }],
  'job.answer': (['replace', 'keepBoth', 'skip'] as const).flatMap(answer =>
    [true, false].map(all => ({ type: 'job.answer', answer, all }) as const),
  ),
  'job.start': [{ type: 'job.start' }],
  'job.recount': [{ type: 'job.recount' }],
  'job.resume': [{ type: 'job.resume' }],
  'job.cancel': [{ type: 'job.cancel' }],
  'network.measured': [
    { type: 'network.measured', timings: { waiting: 3, download: 2, transferred: 0, protocol: 'h2' } },
  ],
  'comparison.cancel': [{ type: 'comparison.cancel' }],
  'comparison.retry': [{ type: 'comparison.retry' }],
  'differences.checked': [
    { type: 'differences.checked', rows: 2, left: 0 },
    { type: 'differences.checked', rows: 2, left: 3 },
  ],
  'differences.failed': [network, invalid].map(failure => ({ type: 'differences.failed', failure }) as const),
  'page.failed': [network, invalid].map(failure => ({ type: 'page.failed', failure }) as const),
  'page.read': [
    { type: 'page.read', rows: 0, isLast: true },
    { type: 'page.read', rows: 500, isLast: false },
  ],
  'pages.read': [
    {
      type: 'pages.read',
      pages: [0, 1].map(account => ({ account, rows: 2, total: 2, isLast: true })),
    },
    {
      type: 'pages.read',
      pages: [
        { account: 0, rows: 500, isLast: false },
        { account: 1, failure: network },
      ],
    },
    {
      type: 'pages.read',
      pages: [
        { account: 0, failure: invalid },
        { account: 1, rows: 0, isLast: true },
      ],
    },
  ],
  'batch.done': [
    { type: 'batch.done', refused: [], conflicts: [], delayed: [] },
    { type: 'batch.done', refused: [file], conflicts: [], delayed: [] },
    { type: 'batch.done', refused: [], conflicts: [conflict], delayed: [] },
    { type: 'batch.done', refused: [], conflicts: [], delayed: [file], failure: network },
  ],
  'delivery.resume': [{ type: 'delivery.resume' }],
  'outbox.empty': [{ type: 'outbox.empty' }],
  'outbox.inUse': [{ type: 'outbox.inUse' }],
  'outbox.next': [{ type: 'outbox.next', id: 'r1', attempts: 0 }],
  'outbox.settled': [{ type: 'outbox.settled' }],
  'part.failed': [{ type: 'part.failed', failure: network }],
  'part.refused': [{ type: 'part.refused', failure: invalid }],
  'part.sent': [{ type: 'part.sent' }],
  'report.allowed': [{ type: 'report.allowed' }],
  'report.captured': [{ type: 'report.captured' }],
  'report.declined': [{ type: 'report.declined', reason: 'consent' }],
  'report.delivered': [
    { type: 'report.delivered', id: 'r1', outcome: { kind: 'sent' } },
    { type: 'report.delivered', id: 'r1', outcome: { kind: 'refused', failure: invalid } },
  ],
  'report.requested': [
    {
      type: 'report.requested',
      id: 'r1',
      cause: { kind: 'user', fingerprint: 'user', title: 'Reported by a user' },
    },
  ],
  'retries.flush': [{ type: 'retries.flush' }],
  'retry.add': [1, 2].map(id => ({ type: 'retry.add', id, what: 'rows' }) as const),
  'retry.cancel': [1, 2].map(id => ({ type: 'retry.cancel', id }) as const),
  'retry.due': [1, 2].map(id => ({ type: 'retry.due', id }) as const),
  'change.conflicted': [{ type: 'change.conflicted' }],
  'change.dismiss': [{ type: 'change.dismiss' }],
  'change.refused': [{ type: 'change.refused', message: 'Not a member.' }],
  'change.saved': [{ type: 'change.saved' }],
  'groups.read': [{ type: 'groups.read' }],
  'notes.unchanged': [{ type: 'notes.unchanged' }],
  'rows.deleted': [{ type: 'rows.deleted' }],
  'rows.refused': [{ type: 'rows.refused', message: 'A row policy forbids it.' }],
  'backend.called': [{ type: 'backend.called', at: 1 }],
  'backend.answered': [200, 404, 503].map(status => ({ type: 'backend.answered', at: 2, status }) as const),
  'backend.keyChanged': [
    { type: 'backend.keyChanged', rejected: true, at: 0 },
    { type: 'backend.keyChanged', rejected: false, at: 0 },
  ],
  'backend.silent': [{ type: 'backend.silent', at: 3 }],
  'backend.check': [{ type: 'backend.check', at: 4 }],
  'check.answered': [
    { type: 'check.answered', at: 5, status: 200 },
    { type: 'check.answered', at: 5, status: 502 },
    { type: 'check.answered', at: 5, status: 503, retryAfter: 30 },
  ],
  'check.failed': [{ type: 'check.failed', at: 6 }],
  'device.changed': [true, false].map(online => ({ type: 'device.changed', online, at: 7 }) as const),
  'step.done': [
    { type: 'step.done', done: 9, total: 9 },
    { type: 'step.done', done: 1, total: 9 },
  ],
  'step.failed': [network, invalid].map(failure => ({ type: 'step.failed', failure }) as const),
  'review.cancel': [{ type: 'review.cancel' }],
  'review.retry': [{ type: 'review.retry' }],
  'survey.retry': [{ type: 'survey.retry' }],
  'write.conflicted': [{ type: 'write.conflicted' }],
  'write.failed': [true, false].map(
    retry => ({ type: 'write.failed', message: 'No answer.', retry }) as const,
  ),
  'write.requested': [{ type: 'write.requested', request: 'r7' }],
  'write.saved': [{ type: 'write.saved' }],
} as const

// Examples of the events that the workbench's machines take in addition to the client's.
import type { Failure } from '../../src/machines/failure.ts'
import { FAMILIES, type FamilyReport } from '../../src/machines/survey.ts'

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const invalid: Failure = { kind: 'validation', message: 'null value in column "name"' }
const report: FamilyReport = { state: 'answers', ms: 12, detail: 'OK', facts: [] }

const file = { file: 0, path: 'a', message: 'no' }
const taken = { file: 1, path: 'b', target: 'c/b' }

export const workbenchSamples = {
  'answer.ended': [{ type: 'answer.ended', size: 2, duration: 7 }],
  'answer.moved': [{ type: 'answer.moved', size: 1 }],
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
  'call.answered': [{ type: 'call.answered', status: 200, kind: 'json' }],
  'call.failed': [{ type: 'call.failed', failure: network, size: 1, duration: 9 }],
  'call.requested': [{ type: 'call.requested', request: 'r7' }],
  'call.stop': [{ type: 'call.stop', duration: 5 }],
  'deletion.drop': [{ type: 'deletion.drop' }],
  'deletion.send': [{ type: 'deletion.send' }],
  'edit.changed': [
    { type: 'edit.changed', columns: ['mmsi'] },
    { type: 'edit.changed', columns: ['mmsi'], failure: { message: 'Too long.', retry: false } },
  ],
  'edit.drop': [{ type: 'edit.drop' }],
  'edit.ended': [{ type: 'edit.ended', id: 1 }],
  'edit.granted': [{ type: 'edit.granted' }],
  'edit.moved': (['queued', 'sending', 'waiting', 'refused', 'conflicting'] as const).map(
    at => ({ type: 'edit.moved', id: 1, at }) as const,
  ),
  'edit.retry': [{ type: 'edit.retry' }],
  'edits.add': [
    { type: 'edits.add', id: 1, key: '4', columns: ['name'] },
    { type: 'edits.add', id: 2, key: '4', columns: ['name'], failure: { message: 'No.', retry: false } },
  ],
  'edits.allow': [{ type: 'edits.allow' }],
  'edits.hold': [{ type: 'edits.hold' }],
  'edits.tell': [
    { type: 'edits.tell', id: 1, word: { type: 'edit.retry' } },
    { type: 'edits.tell', id: 1, word: { type: 'edit.drop' } },
    { type: 'edits.tell', id: 1, word: { type: 'edit.changed', columns: ['mmsi'] } },
  ],
  'edits.wake': [{ type: 'edits.wake' }],
  'export.cancel': [{ type: 'export.cancel' }],
  'export.pause': [{ type: 'export.pause' }],
  'export.resume': [{ type: 'export.resume' }],
  'family.answered': FAMILIES.map(family => ({ type: 'family.answered', family, report }) as const),
  'files.counted': [{ type: 'files.counted', total: 3, bytes: 30 }],
  'files.found': [{ type: 'files.found', found: 2 }],
  'files.uncounted': [{ type: 'files.uncounted', failure: network }],
  'import.again': [{ type: 'import.again' }],
  'import.cancel': [{ type: 'import.cancel' }],
  'import.leave': [{ type: 'import.leave' }],
  'import.pause': [{ type: 'import.pause' }],
  'import.resume': [{ type: 'import.resume' }],
  'job.again': [{ type: 'job.again' }],
  'job.answer': (['replace', 'keepBoth', 'skip'] as const).flatMap(answer =>
    [true, false].map(all => ({ type: 'job.answer', answer, all }) as const),
  ),
  'job.begin': [{ type: 'job.begin' }],
  'job.recount': [{ type: 'job.recount' }],
  'job.resume': [{ type: 'job.resume' }],
  'job.stop': [{ type: 'job.stop' }],
  'line.measured': [
    { type: 'line.measured', line: { waiting: 3, download: 2, transferred: 0, protocol: 'h2' } },
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
  'portion.done': [
    { type: 'portion.done', refused: [], taken: [], delayed: [] },
    { type: 'portion.done', refused: [file], taken: [], delayed: [] },
    { type: 'portion.done', refused: [], taken: [taken], delayed: [] },
    { type: 'portion.done', refused: [], taken: [], delayed: [file], failure: network },
  ],
  'retries.flush': [{ type: 'retries.flush' }],
  'retry.add': [1, 2].map(id => ({ type: 'retry.add', id, what: 'rows' }) as const),
  'retry.cancel': [1, 2].map(id => ({ type: 'retry.cancel', id }) as const),
  'retry.due': [1, 2].map(id => ({ type: 'retry.due', id }) as const),
  'rows.deleted': [{ type: 'rows.deleted' }],
  'rows.refused': [{ type: 'rows.refused', message: 'A row policy forbids it.' }],
  'survey.again': [{ type: 'survey.again' }],
  'write.crossed': [{ type: 'write.crossed' }],
  'write.failed': [true, false].map(
    retry => ({ type: 'write.failed', message: 'No answer.', retry }) as const,
  ),
  'write.requested': [{ type: 'write.requested', request: 'r7' }],
  'write.saved': [{ type: 'write.saved' }],
} as const

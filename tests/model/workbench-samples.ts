// Examples of the events that the workbench's machines hear beside those of the client.
import type { Failure } from '../../src/machines/failure.ts'
import { FAMILIES, type FamilyReport } from '../../src/machines/survey.ts'

const network: Failure = { kind: 'network', message: 'The backend cannot be reached.' }
const invalid: Failure = { kind: 'validation', message: 'null value in column "name"' }
const report: FamilyReport = { state: 'answers', ms: 12, detail: 'It answers.', facts: [] }

export const workbenchSamples = {
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
  'deletion.drop': [{ type: 'deletion.drop' }],
  'deletion.send': [{ type: 'deletion.send' }],
  'export.cancel': [{ type: 'export.cancel' }],
  'export.pause': [{ type: 'export.pause' }],
  'export.resume': [{ type: 'export.resume' }],
  'family.answered': FAMILIES.map(family => ({ type: 'family.answered', family, report }) as const),
  'import.again': [{ type: 'import.again' }],
  'import.cancel': [{ type: 'import.cancel' }],
  'import.leave': [{ type: 'import.leave' }],
  'import.pause': [{ type: 'import.pause' }],
  'import.resume': [{ type: 'import.resume' }],
  'page.failed': [network, invalid].map(failure => ({ type: 'page.failed', failure }) as const),
  'page.read': [
    { type: 'page.read', rows: 0, isLast: true },
    { type: 'page.read', rows: 500, isLast: false },
  ],
  'rows.deleted': [{ type: 'rows.deleted' }],
  'rows.refused': [{ type: 'rows.refused', message: 'A row policy forbids it.' }],
  'survey.again': [{ type: 'survey.again' }],
} as const

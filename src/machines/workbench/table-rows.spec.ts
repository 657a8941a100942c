import { specify } from '../specify.ts'
import { shared } from '../samples.ts'
import { pageReadMachine, tableRowsMachine } from './table-rows.ts'

export const pageReadSpec = specify(pageReadMachine, {
  about: 'The read of one page of a table, which knows whether rows changed since it began.',
  ports: {
    readPage: {
      about: 'Reads one page and keeps its rows until they are shown.',
      sends: {
        ...shared('port.broken'),
        'page.received': [true, false].map(isNew => ({ isNew, request: 'r7' })),
        'page.refused': [true, false].map(retry => ({ retry, request: 'r7' })),
      },
      healthy: 'page.received',
      once: true,
    },
  },
  events: { 'read.outdated': [{}], 'read.overwritten': [{}] },
  ignored: [
    {
      event: 'read.outdated',
      states: ['reading.outdated', 'reading.overwritten'],
      reason: 'It is read again anyway.',
    },
    { event: 'read.overwritten', states: ['reading.overwritten'], reason: 'It is read again anyway.' },
  ],
  inputs: [{ page: 0 }],
  rests: snapshot => snapshot.matches('over'),
})

export const tableRowsSpec = specify(tableRowsMachine, {
  about: 'The rows of an open table: when pages are read, counted and reloaded, and for what reason.',
  children: { pageRead: { spec: pageReadSpec } },
  ports: {
    countRows: {
      about: 'Counts the rows exactly.',
      sends: { ...shared('port.broken'), 'rows.counted': [{ count: 150 }], 'rows.uncounted': [{}] },
      healthy: 'rows.counted',
      once: true,
    },
  },
  events: {
    'backend.recovered': [{}],
    'changes.applied': [
      { batch: 1, others: 2, isUnclear: false },
      { batch: 2, others: 0, isUnclear: true },
    ],
    'channel.live': [{}],
    'channel.lost': [{}],
    'echo.over': [{ write: 1 }],
    'marks.over': [{ batch: 1 }],
    'page.failed': [{ page: 0, retry: true }],
    'page.read': [
      { page: 0, isOutdated: false },
      { page: 1, isOutdated: true },
    ],
    'row.changed': [{}],
    'rows.reload': [{ reason: { kind: 'user' } }],
    'rows.written': [{ write: 1 }],
    'view.changed': [
      { missing: [0, 1, 2, 3], isEstimate: true },
      { missing: [2, 3], isEstimate: false },
      { missing: [], isEstimate: false },
    ],
  },
  raised: ['echo.over', 'marks.over'],
  randomEvents: [
    'backend.recovered',
    'changes.applied',
    'channel.live',
    'channel.lost',
    'row.changed',
    'rows.reload',
    'rows.written',
    'view.changed',
  ],
  ignored: [
    { event: 'backend.recovered', states: ['reading.idle'], reason: 'No read waits for the backend.' },
    { event: 'row.changed', states: ['changes.gathering'], reason: 'It is applied with those before it.' },
    { event: 'channel.live', states: ['channel.live'], reason: 'No changes were missed.' },
    {
      event: 'channel.lost',
      states: ['channel.joining', 'channel.lost'],
      reason: 'Changes are missed already.',
    },
  ],
  situation: ['wanted', 'reads'],
  rests: ({ value: { reading, total } }) =>
    (reading === 'idle' || reading === 'failed') && (total === 'certain' || total === 'estimated'),
})

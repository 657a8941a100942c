import { specify, hasEnded, briefly } from '../specify.ts'
import { network, shared, invalid } from '../samples.ts'
import { rowComparisonMachine } from './row-comparison.ts'

export const rowComparisonSpec = specify(rowComparisonMachine, {
  about:
    'One comparison of the rows that several accounts see: reads all pages of each account, then checks every difference again.',
  ports: {
    readPages: {
      about: 'Reads the next page of each of these accounts.',
      sends: {
        ...shared('port.broken'),
        'pages.read': [
          {
            pages: [0, 1].map(account => ({ account, rows: 2, total: 2, isLast: true })),
          },
          {
            pages: [
              { account: 0, rows: 500, isLast: false },
              { account: 1, failure: network },
            ],
          },
          {
            pages: [
              { account: 0, failure: invalid },
              { account: 1, rows: 0, isLast: true },
            ],
          },
        ],
      },
      healthy: 'pages.read',
    },
    recheckDifferences: {
      about: 'Re-reads the next differing rows; on the first call, it collects them.',
      sends: {
        ...shared('port.broken'),
        'differences.checked': [
          { rows: 2, left: 0 },
          { rows: 2, left: 3 },
        ],
        'differences.failed': [network, invalid].map(failure => ({ failure }) as const),
      },
      healthy: 'differences.checked',
    },
  },
  events: { 'comparison.cancel': [{}], 'comparison.retry': [{}] },
  inputs: [{ accounts: 2, seed: 1 }],
  situation: ({ scans, failure, attempt }) => [
    scans.map(scan => [scan.phase, scan.attempt]),
    briefly(failure),
    attempt,
  ],
  settling: [{ type: 'comparison.retry' }],
  rests: hasEnded,
})

import { specify, hasEnded } from '../specify.ts'
import { network, shared, invalid } from '../samples.ts'
import { rowExportMachine } from './row-export.ts'

export const rowExportSpec = specify(rowExportMachine, {
  about: 'One export of rows: reads page after page to the end, and resumes after interruptions.',
  ports: {
    readPage: {
      about: 'Reads the page after the rows read so far.',
      sends: {
        ...shared('port.broken'),
        'page.failed': [network, invalid].map(failure => ({ failure }) as const),
        'page.read': [
          { rows: 0, isLast: true },
          { rows: 500, isLast: false },
        ],
      },
      healthy: 'page.read',
    },
  },
  events: { 'export.cancel': [{}], 'export.pause': [{}], 'export.resume': [{}] },
  ignored: [
    { event: 'export.pause', states: ['paused', 'failed'], reason: 'It is already paused.' },
    { event: 'export.resume', states: ['reading'], reason: 'It is already running.' },
  ],
  inputs: [{ expected: undefined, seed: 1 }],
  situation: ['read', 'failure'],
  settling: [{ type: 'export.pause' }, { type: 'export.resume' }],
  rests: hasEnded,
})

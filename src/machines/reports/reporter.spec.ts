import { specify } from '../specify.ts'
import { invalid, shared } from '../samples.ts'
import { reporterMachine } from './reporter.ts'
import { reportDeliverySpec } from './delivery.spec.ts'

export const reporterSpec = specify(reporterMachine, {
  about: 'Reports of problems: decides whether one may be made, and captures the recording.',
  ports: {
    decideReport: {
      about: 'Decides whether the client may report this.',
      sends: { ...shared('port.broken'), 'report.allowed': [{}], 'report.declined': [{ reason: 'consent' }] },
      healthy: 'report.allowed',
      once: true,
    },
    captureReport: {
      about: 'Writes the recording, the picture and the note to the outbox; fails with `port.broken`.',
      sends: { ...shared('port.broken'), 'report.captured': [{}] },
      healthy: 'report.captured',
      once: true,
    },
  },
  children: { delivery: { spec: reportDeliverySpec } },
  events: {
    ...shared('delivery.resume'),
    'report.delivered': [
      { id: 'r1', outcome: { kind: 'sent' } },
      { id: 'r1', outcome: { kind: 'refused', failure: invalid } },
    ],
    'report.requested': [
      {
        id: 'r1',
        cause: { kind: 'user', fingerprint: 'user', title: 'Reported by a user' },
      },
    ],
  },
  inputs: [{ seed: 1 }],
  situation: ['requested'],
  rests: snapshot => snapshot.matches('idle'),
})

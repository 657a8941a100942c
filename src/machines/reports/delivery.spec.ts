import { specify } from '../specify.ts'
import { invalid, network, shared } from '../samples.ts'
import { reportDeliveryMachine } from './delivery.ts'

/** What follows from sending one part of a report. */
const partSamples = {
  ...shared('port.broken'),
  'part.failed': [{ failure: network }],
  'part.refused': [{ failure: invalid }],
  'part.sent': [{}],
}

export const reportDeliverySpec = specify(reportDeliveryMachine, {
  about: 'Delivery of captured reports, one after the other, until the backend has accepted or refused each.',
  ports: {
    nextReport: {
      about: 'Picks the report to deliver next, and reserves the delivery for this tab.',
      sends: {
        ...shared('port.broken'),
        'outbox.empty': [{}],
        'outbox.inUse': [{}],
        'outbox.next': [{ id: 'r1', attempts: 0 }],
      },
      healthy: 'outbox.empty',
      once: true,
    },
    announceReport: {
      about: 'Adds the row of the report.',
      sends: partSamples,
      healthy: 'part.sent',
      once: true,
    },
    attachFiles: {
      about: 'Uploads the recording and the picture.',
      sends: partSamples,
      healthy: 'part.sent',
      once: true,
    },
    settleReport: {
      about: 'Removes a report from the outbox, or counts a failed attempt.',
      sends: { ...shared('port.broken'), 'outbox.settled': [{}] },
      healthy: 'outbox.settled',
      once: true,
    },
  },
  events: { ...shared('delivery.resume') },
  ignored: [
    {
      event: 'delivery.resume',
      states: ['announcing', 'attaching', 'settling'],
      reason: 'A report is being delivered; the outbox is read again after it.',
    },
  ],
  inputs: [{ seed: 1 }],
  situation: ['result', 'failure'],
  settling: [{ type: 'delivery.resume' }],
  rests: snapshot => snapshot.matches('resting'),
})

import { specify, hasEnded } from '../specify.ts'
import { network, shared } from '../samples.ts'
import { functionCallMachine } from './function-call.ts'

export const functionCallSpec = specify(functionCallMachine, {
  about: 'One function call: sent, answered, read to its end or to the interruption, and measured.',
  ports: {
    callFunction: {
      about: 'Sends the call and reads its response, which stays outside the machine.',
      sends: {
        ...shared('port.broken'),
        'response.ended': [{ size: 2, duration: 7 }],
        'response.progressed': [{ size: 1 }],
        'response.started': [{ status: 200, kind: 'json' }],
        'call.failed': [{ failure: network, size: 1, duration: 9 }],
        'call.requested': [{ request: 'r7' }],
      },
      healthy: 'call.failed',
    },
    measureNetwork: {
      about: "Reads the browser's measurements.",
      sends: {
        'network.measured': [{ timings: { waiting: 3, download: 2, transferred: 0, protocol: 'h2' } }],
      },
    },
  },
  events: { 'call.cancel': [{ duration: 5 }] },
  ignored: [
    { event: 'response.started', states: ['running.calling.receiving'], reason: 'A call has one response.' },
    {
      event: 'response.progressed',
      states: ['running.calling.sending'],
      reason: 'Only applies once a response has begun.',
    },
    {
      event: 'response.ended',
      states: ['running.calling.sending'],
      reason: 'Only applies once a response has begun.',
    },
    {
      event: 'call.cancel',
      states: ['running.measuring'],
      reason: 'The call is over; the response is complete.',
    },
  ],
  inputs: [{ method: 'POST', name: 'tide', as: 'user' }],
  situation: ['request', 'size', 'failure', 'timings'],
  settling: [{ type: 'call.cancel', duration: 5 }],
  rests: hasEnded,
})

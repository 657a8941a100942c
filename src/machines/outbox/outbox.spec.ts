import { bug, invalid, network, shared } from '../samples.ts'
import { specify } from '../specify.ts'
import { outboxMachine } from './outbox.ts'
import { clientSamples, writeSamples } from './samples.ts'

const writes = writeSamples

export const outboxSpec = specify(outboxMachine, {
  about:
    'The writes that are stored on the device: sent in order, each as the user who made it, from one tab.',
  ports: {
    watchClient: {
      about: 'Reports the signed-in user and whether the device is online.',
      sends: clientSamples,
      healthy: 'client.changed',
    },
    watchQueue: {
      about: 'Reports changes of the stored writes, also by other tabs.',
      sends: { 'queue.changed': [{}] },
    },
    readQueue: {
      about: 'Reads the stored writes.',
      sends: {
        ...shared('port.broken'),
        'queue.read': [
          { writes: [] },
          { writes: [writes.mine, writes.other] },
          { writes: [writes.other] },
          { writes: [writes.asking, writes.mine] },
          { writes: [writes.refused] },
          { writes: [writes.anybody] },
        ],
      },
      healthy: 'queue.read',
      once: true,
    },
    claimQueue: {
      about: 'Holds the right to send among the tabs.',
      sends: { ...shared('port.broken'), 'claim.held': [{}], 'claim.lost': [{}] },
      healthy: 'claim.held',
    },
    sendWrite: {
      about: 'Sends a write, and stores its outcome.',
      sends: {
        ...shared('port.broken'),
        'write.delivered': [{ id: 'w1' }],
        'write.asking': [{ id: 'w1' }],
        'write.refused': [{ id: 'w1', failure: invalid }],
        'write.failed': [network, bug].map(failure => ({ id: 'w1', failure })),
      },
      healthy: 'write.delivered',
      once: true,
    },
    storeDecision: {
      about: 'Stores what the user decided about a write.',
      sends: { ...shared('port.broken'), 'decision.stored': [{}] },
      healthy: 'decision.stored',
      once: true,
    },
  },
  events: {
    'outbox.retry': [{}],
    'write.decide': (['keepMine', 'takeTheirs', 'discard'] as const).map(decision => ({
      id: 'w1',
      decision,
    })),
  },
  ignored: [
    {
      event: 'outbox.retry',
      states: [
        'queue.reading',
        'queue.empty',
        'queue.waitingForSession',
        'queue.held',
        'queue.asking',
        'queue.offline',
        'queue.sending.claiming.*',
        'queue.sending.refreshing',
        'queue.sending.delivering',
      ],
      reason: 'It does not pause between attempts.',
    },
    {
      event: 'queue.changed',
      states: ['queue.sending.delivering'],
      reason: 'The writes are read again after this one.',
    },
    {
      event: 'claim.held',
      states: ['queue.sending.refreshing', 'queue.sending.delivering', 'queue.sending.pausing.*'],
      reason: 'The right to send is already held, or is used after the pause.',
    },
  ],
  inputs: [{ seed: 1 }],
  situation: ({ identity, online, writes: list, failure, decisions }) => [
    identity,
    online,
    list.map(({ id }) => id).join(),
    failure?.kind,
    decisions.length > 0,
  ],
  skips: event => event.type === 'write.decide' && event.decision !== 'discard',
  settling: [{ type: 'queue.changed' }, { type: 'outbox.retry' }],
  rests: snapshot => snapshot.matches({ queue: 'empty', decisions: 'idle' }),
})

import { invalid, network, shared } from '../samples.ts'
import { specify } from '../specify.ts'
import { collectionRowsMachine } from './collection-rows.ts'
import { clientSamples } from './samples.ts'

export const collectionRowsSpec = specify(collectionRowsMachine, {
  about:
    'The rows of one table in a collection: read as the signed-in user, followed, and read again after gaps.',
  ports: {
    watchClient: {
      about: 'Reports the signed-in user and whether the device is online.',
      sends: clientSamples,
      healthy: 'client.changed',
    },
    watchRows: {
      about: 'Follows the changes of the table; reports when some may have been missed.',
      sends: { ...shared('port.broken'), 'rows.outdated': [{}] },
    },
    readRows: {
      about: 'Reads all rows of the table.',
      sends: {
        ...shared('port.broken'),
        'rows.read': [{ count: 3 }],
        'rows.failed': [network, invalid].map(failure => ({ failure })),
      },
      healthy: 'rows.read',
      once: true,
    },
  },
  events: { 'rows.reload': [{}] },
  ignored: [
    {
      event: 'rows.reload',
      states: ['waitingForSession', 'signedOut'],
      reason: 'There is no user whose rows could be read.',
    },
  ],
  inputs: [
    { isPublic: false, seed: 1 },
    { isPublic: true, seed: 1 },
  ],
  situation: ({ identity, online, isOutdated, isPublic, failure }) => [
    identity,
    online,
    isOutdated,
    isPublic,
    failure?.kind,
  ],
  settling: [{ type: 'rows.reload' }],
  rests: snapshot =>
    snapshot.matches({ following: 'current' }) ||
    snapshot.matches('signedOut') ||
    snapshot.matches('waitingForSession'),
  goal: snapshot => snapshot.matches({ following: 'current' }),
})

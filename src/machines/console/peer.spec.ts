import { specify } from '../specify.ts'
import { peerMachine } from './peer.ts'

export const peerSpec = specify(peerMachine, {
  about: 'Whether the other end of a link between an app and its console is there.',
  ports: {
    serve: {
      about:
        'Sends the recording to a console, or takes that of an app; tells the other end with each beat that it is there.',
    },
  },
  events: { 'peer.greeted': [{}], 'peer.heard': [{}], 'peer.left': [{}] },
  ignored: [
    { event: 'peer.heard', states: ['away'], reason: 'It has left, or has to connect first.' },
    { event: 'peer.left', states: ['away'], reason: 'It has left already.' },
  ],
  situation: ({ missed }) => missed,
  rests: snapshot => !snapshot.matches('there'),
})

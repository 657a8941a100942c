import { specify } from '../specify.ts'
import { sourceConnectionMachine } from './source-connection.ts'

export const sourceConnectionSpec = specify(sourceConnectionMachine, {
  about: 'The connection over which a console receives what other apps report; reconnects when it is lost.',
  ports: {
    connectSource: {
      about: 'Connects to the server of the page, and passes on what it sends.',
      sends: { 'source.opened': [{}], 'source.lost': [{}] },
      healthy: 'source.opened',
    },
  },
  events: {},
  ignored: [{ event: 'source.opened', states: ['connected.open'], reason: 'A connection opens once.' }],
  situation: ({ wait }) => wait,
  rests: snapshot => snapshot.matches('connected'),
})

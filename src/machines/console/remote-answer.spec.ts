import { hasEnded, specify } from '../specify.ts'
import { remoteAnswerMachine } from './remote-answer.ts'

export const remoteAnswerSpec = specify(remoteAnswerMachine, {
  about: 'The wait for something from the other end of a link between an app and its console.',
  events: { 'answer.arrived': [{}], 'answer.lost': [{}] },
  inputs: [{ limit: 5_000 }, { limit: undefined }],
  settling: [{ type: 'answer.arrived' }],
  rests: hasEnded,
})

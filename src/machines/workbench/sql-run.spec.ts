import { hasEnded, specify } from '../specify.ts'
import { invalid, network, shared } from '../samples.ts'
import { SQL_ENDS, sqlRunMachine } from './sql-run.ts'

const endedScripts = SQL_ENDS.map(end => ({ end, statements: 2 }) as const)

export const sqlRunSpec = specify(sqlRunMachine, {
  about: 'One run of a SQL script: sent, canceled, and its outcome when the connection is lost.',
  ports: {
    runScript: {
      about:
        'Sends the script; its text and its results stay outside the machine. Aborting closes the connection.',
      sends: {
        ...shared('port.broken'),
        'script.ended': endedScripts,
        'script.failed': [network, invalid].map(failure => ({ failure }) as const),
      },
      healthy: 'script.ended',
    },
    settleScript: {
      about: 'Cancels the script if it still runs, and asks for its outcome.',
      sends: {
        ...shared('port.broken'),
        'script.ended': endedScripts,
        'outcome.failed': [network, invalid].map(failure => ({ failure }) as const),
      },
      healthy: 'script.ended',
    },
  },
  events: { 'script.cancel': [{}], 'outcome.retry': [{}], 'outcome.giveUp': [{}] },
  ignored: [
    { event: 'script.cancel', states: ['settling', 'backingOff'], reason: 'It is already canceled.' },
    { event: 'outcome.retry', states: ['running', 'settling'], reason: 'The backend is being asked.' },
    { event: 'outcome.giveUp', states: ['running'], reason: 'The script runs: it can be canceled.' },
  ],
  inputs: [{ mode: 'run', limit: 30_000, seed: 1 }],
  situation: ['end', 'failure', 'isCanceled', 'attempt'],
  settling: [{ type: 'script.cancel' }, { type: 'outcome.giveUp' }],
  rests: hasEnded,
})

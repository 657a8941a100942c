// What a machine may know of a refusal: it is recorded, and what was typed is the user's own.
import type { EditFailure } from '../../../../transfers.ts'
import type { DataFailure } from '../rest-failure.ts'
import type { Values } from './edits.ts'

const QUOTED = 'The server refused it, and quotes what was typed.'

/** Without words that quote what was typed. */
export const toldOf = ({ message, retry }: DataFailure, values: Values): EditFailure => {
  const isQuoted = Object.values(values).some(cell => cell !== null && cell !== '' && message.includes(cell))
  return { message: isQuoted ? QUOTED : message, retry }
}

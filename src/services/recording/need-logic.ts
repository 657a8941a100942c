// Checks what is given to be recorded. XState itself accepts any value, and fails later or not at all.
import { isActor } from './is-actor.ts'

/** @throws TypeError for anything but the logic of an XState 5 actor, with what to pass */
export function needLogic(given: unknown): void {
  const wrong = wrongLogic(given)
  if (wrong !== undefined) throw new TypeError(`Cannot record ${wrong}`)
}

const USUAL = 'Pass a machine, such as createMachine({ … }), or other logic, such as fromPromise(…).'

/** Returns what was given instead of logic, and what to pass; undefined for logic. */
function wrongLogic(given: unknown): string | undefined {
  if (typeof given === 'function')
    return 'a function. Wrap it: fromPromise(fn), fromCallback(fn) or fromTransition(fn, context).'
  if (typeof given !== 'object' || given === null) return `${inWords(given)}. ${USUAL}`
  // Stores have the methods of logic and of actors.
  if ('trigger' in given && 'getInitialSnapshot' in given)
    return 'a store of @xstate/store. Pass its logic: fromStore({ context, on }) of @xstate/store.'
  if (isActor(given))
    return 'an actor that exists. Pass its machine, as in record(machine), and use the actor `recording.actor`.'
  // Only XState 6 has this method, and only XState 4 the other.
  if ('initialTransition' in given) return 'logic of XState 6. XState 5 is needed: npm install xstate@5'
  if ('withContext' in given) return 'a machine of XState 4. XState 5 is needed: npm install xstate@5'
  if ('transition' in given || 'getInitialSnapshot' in given) return undefined
  return 'states' in given || 'initial' in given
    ? 'the config of a machine. Pass createMachine(config).'
    : `an object that is no logic. ${USUAL}`
}

const inWords = (given: unknown): string =>
  given === undefined || given === null ? String(given) : `a ${typeof given}`

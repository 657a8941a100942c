// Every system that can be replayed.
export { aloneSystem, composeAlone, systems } from './known-systems.ts'

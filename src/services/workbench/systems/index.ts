// Every system that can be replayed.
export { aloneSystem, systems } from './known-systems.ts'

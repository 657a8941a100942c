// The machines of the workbench, and every system that can be replayed.
export { systems } from './known-systems.ts'

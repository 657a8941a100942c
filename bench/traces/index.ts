// What trace files cost: their size, opening them, and finding a step in them.
export { bytesPerRecord, bytesPerRecordRedux } from './bytes.ts'
export { openMillion } from './open.ts'
export { seekMillion } from './seek.ts'

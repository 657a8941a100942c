// Benchmarks of trace files: their size, opening them, and seeking in them.
export { bytesPerRecord, bytesPerRecordRedux } from './bytes.ts'
export { openMillion } from './open.ts'
export { seekMillion } from './seek.ts'

// Workbench-only entry, not part of the package: formats that machines and the UI share.
export { formatSize } from './machines/uploads/format-size.ts'

// The inspector under the name by which the panes know it.
export { Inspector as DetailedInspector } from '../state/inspector.tsx'

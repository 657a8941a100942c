// Notes source positions for machines: a transform of modules, for Vite and Node.
export { withNotedSources } from './note-hooks.ts'
export { projectRoot } from './project-root.ts'
export { sourcePlugin, SourceTransform } from './source-plugin.ts'

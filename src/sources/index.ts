// Notes source positions for machines: a transform of modules, for Vite and Node.
export { withNotedSources } from './note-hooks.ts'
export { projectPath, projectRoot } from './project-root.ts'
export { sourcePlugin, SourceTransform } from './source-plugin.ts'

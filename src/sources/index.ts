// Notes source positions for machines: a transform of modules, as a Vite plugin and for Node.
export { projectPath, projectRoot } from './project-root.ts'
export { type SourceModules, sourcePlugin } from './source-plugin.ts'

// The Vite plugin. Its page part, in `page`, is loaded by the pages of an app and not imported here.
export { chartroomConsole, type ChartroomPluginOptions } from './plugin.ts'

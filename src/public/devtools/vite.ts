// The public entry `@chartroom/devtools/vite`: the plugin that adds the console to an app in development.
export { chartroomConsole, type ChartroomPluginOptions } from '../../vite/index.ts'

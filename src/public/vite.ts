// The public entry `chartroom/vite`: the plugin that adds the console to an app in development.
export { chartroom, type ChartroomPluginOptions } from '../vite/index.ts'

// Commands from the app to the client, and events from the client to the app.
import type { ChannelCommand, ChannelOptions } from './realtime/channel-events.ts'
import type { AbortReason, RequestInfo } from './requests/request.ts'
import type { RequestsReport } from './requests/requests.ts'
import type { SessionCommand, SessionReport } from './session/setup.ts'
import type { UploadCommand, UploadInfo } from './uploads/upload-info.ts'

export type RequestCommand =
  | {
      readonly type: 'request.start'
      readonly info: RequestInfo
      /**
       * Monotonic milliseconds. After the device slept, no timer may have reported the token's expiry yet.
       */
      readonly at?: number
    }
  | { readonly type: 'request.abort'; readonly id: string; readonly reason?: AbortReason }

export type TopicCommand =
  /** `use` distinguishes the uses of one topic; the options of all uses are merged. */
  | {
      readonly type: 'channel.join'
      readonly topic: string
      readonly use?: string
      readonly options: ChannelOptions
    }
  | { readonly type: 'channel.leave'; readonly topic: string; readonly use?: string }
  | { readonly type: 'channel.command'; readonly topic: string; readonly command: ChannelCommand }
  /** Closes the socket until `realtime.connect` or another channel join. */
  | { readonly type: 'realtime.disconnect' }
  | { readonly type: 'realtime.connect' }

export type UploadsCommand =
  | { readonly type: 'uploads.add'; readonly uploads: readonly UploadInfo[] }
  | { readonly type: 'upload.command'; readonly id: string; readonly command: UploadCommand }
  /** Removes finished uploads from the list. */
  | { readonly type: 'uploads.clear' }

/** Every command an app can send to the client. */
export type ClientCommand =
  SessionCommand | { readonly type: 'refresh.request' } | RequestCommand | TopicCommand | UploadsCommand

/** Events emitted to the app, after the step that caused them. Channels emit their own events directly. */
export type ClientEmitted =
  | Extract<SessionReport, { type: 'auth.settled' }>
  | Extract<RequestsReport, { type: 'request.settled' | 'request.receiving' }>

// What the app asks of the client, and what the client tells the app.
import type { ChannelCommand, ChannelOptions } from './channel-events.ts'
import type { AbortReason, RequestInfo } from './request-info.ts'
import type { RequestsReport } from './requests.ts'
import type { SessionCommand, SessionReport } from './session-events.ts'
import type { UploadCommand, UploadInfo } from './upload-info.ts'

export type RequestCommand =
  | {
      readonly type: 'request.start'
      readonly info: RequestInfo
      /** Monotonic milliseconds: after a sleep no timer may have said yet that the token has run out. */
      readonly at?: number
    }
  | { readonly type: 'request.abort'; readonly id: string; readonly reason?: AbortReason }

export type TopicCommand =
  /** `use` tells the uses of one topic apart; the options of all of them count. */
  | {
      readonly type: 'channel.join'
      readonly topic: string
      readonly use?: string
      readonly options: ChannelOptions
    }
  | { readonly type: 'channel.leave'; readonly topic: string; readonly use?: string }
  | { readonly type: 'channel.command'; readonly topic: string; readonly command: ChannelCommand }
  /** No socket any more, until this is taken back or a channel is joined. */
  | { readonly type: 'realtime.disconnect' }
  | { readonly type: 'realtime.connect' }

export type UploadsCommand =
  | { readonly type: 'uploads.add'; readonly uploads: readonly UploadInfo[] }
  | { readonly type: 'upload.command'; readonly id: string; readonly command: UploadCommand }
  /** Forgets those that are over. */
  | { readonly type: 'uploads.clear' }

/** Everything an app can ask of the client. */
export type ClientCommand =
  SessionCommand | { readonly type: 'refresh.request' } | RequestCommand | TopicCommand | UploadsCommand

/** What the client tells the app, after the step that caused it; channels tell it themselves what concerns them. */
export type ClientEmitted =
  | Extract<SessionReport, { type: 'auth.settled' }>
  | Extract<RequestsReport, { type: 'request.settled' | 'request.receiving' }>

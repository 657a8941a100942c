// All auth routes that send emails or handle their links and codes.
import type { Hono } from 'hono'
import type { AuthContext } from '../context.ts'
import { addLinkRoutes } from './link-routes.ts'
import { addMailRoutes } from './mail-routes.ts'
import { addOtpRoutes } from './otp-routes.ts'
import { addVerifyRoutes } from './verify-routes.ts'

export function addMailFamily(app: Hono, context: AuthContext): void {
  addOtpRoutes(app, context)
  addMailRoutes(app, context)
  addVerifyRoutes(app, context)
  addLinkRoutes(app, context)
}

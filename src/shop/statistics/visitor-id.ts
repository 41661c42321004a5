import { createHmac } from 'node:crypto'
import { networkOf } from '../shared/limit-attempts.ts'

/**
 * Returns the id of a visitor for one day. It identifies no person, and cannot be reproduced once the salt is deleted.
 * @param salt 32 random bytes, of one day
 * @param host the shop's, so that shops that share a salt by mistake do not share visitors
 */
export function visitorId(salt: Buffer, ip: string, agent: string, host: string): string {
  return createHmac('sha256', salt)
    .update(`${networkOf(ip)}\0${agent}\0${host}`)
    .digest('base64url')
    .slice(0, 22)
}

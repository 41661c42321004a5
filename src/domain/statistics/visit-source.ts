import { decodeCookieText, none } from '../attribution/cookie-text.ts'
import { trackingOf } from '../attribution/tracker-options.ts'
import { trafficSource } from '../attribution/traffic-source.ts'
import type { Channel } from './channels.ts'
import { storableText } from './stored-text.ts'
import { longestTexts } from './visit-limits.ts'

/** The source of a page view, in the terms of order attribution, so that both can be compared. */
export type VisitSource = {
  readonly source: string
  readonly medium: string
  /** '' without a campaign. */
  readonly campaign: string
  readonly channel: Channel
  /** True if it starts a new visit during another: campaigns and search engines do, other sites do not. */
  readonly overrides: boolean
}

/**
 * @param href the page's URL with its query, as text
 * @param referrer the browser's referrer, or ''
 * @param host the shop's own
 */
export function visitSource(href: string, referrer: string, host: string): VisitSource {
  const nothingKnown = { session: false, source: false }
  const found = trafficSource({ href, referrer }, nothingKnown, trackingOf({}, host))
  if (!found || found.typ === 'typein') {
    return { source: '(direct)', medium: none, campaign: '', channel: 'direct', overrides: false }
  }
  const said = (value: string, longest: number) => storableText(decodeCookieText(value), longest)
  const source = said(found.src, longestTexts.source) || none
  const medium = said(found.mdm, longestTexts.medium) || none
  const campaign = found.cmp === none ? '' : said(found.cmp, longestTexts.campaign)
  const overrides = found.typ === 'utm' || found.typ === 'organic'
  return { source, medium, campaign, overrides, channel: channelOf(found.typ, source.toLowerCase(), medium) }
}

const paid = /^(?:cpc|ppc|cpm|cpv|cpa|paid.*|display|banner|retargeting|remarketing|affiliate|.*[_-]ads?|ads?)$/i
const email = /e-?mail|newsletter/i
const social = /^(?:(?:organic[ _-]?)?social(?:[ _-]?(?:media|network))?|sm)$/i

function channelOf(type: string, source: string, medium: string): Channel {
  if (type === 'organic') return 'search'
  if (type === 'referral') return sites.find(([, hosts]) => isOneOf(source, hosts))?.[0] ?? 'referral'
  if (paid.test(medium)) return 'paid'
  if (email.test(medium)) return 'email'
  if (social.test(medium)) return 'social'
  if (/^organic$/i.test(medium)) return 'search'
  return /^referral$/i.test(medium) ? 'referral' : 'campaign'
}

/** Known sites that are more than a page with a link. Subdomains are included: `l.facebook.com`. */
const sites: readonly (readonly [Channel, readonly string[]])[] = [
  [
    'search',
    [
      'duckduckgo.com',
      'bing.com',
      'yahoo.com',
      'baidu.com',
      'ecosia.org',
      'qwant.com',
      'startpage.com',
      'search.brave.com',
      'naver.com',
      'seznam.cz',
      'sogou.com',
      'yandex.ru',
      'yandex.com',
      'ya.ru',
      'kagi.com',
      'mojeek.com',
      'swisscows.com',
      'so.com',
      'ask.com',
      'aol.com',
    ],
  ],
  [
    'email',
    [
      'mail.google.com',
      'com.google.android.gm',
      'outlook.live.com',
      'outlook.office.com',
      'outlook.office365.com',
      'mail.yahoo.com',
      'mail.proton.me',
      'mail.aol.com',
      'gmx.net',
      'web.de',
      'mail.ru',
      'app.fastmail.com',
      'mailchi.mp',
      'list-manage.com',
    ],
  ],
  [
    'social',
    [
      'facebook.com',
      'instagram.com',
      'twitter.com',
      'x.com',
      'linkedin.com',
      'lnkd.in',
      'pinterest.com',
      'reddit.com',
      'tiktok.com',
      'youtube.com',
      'youtu.be',
      'threads.net',
      'threads.com',
      'bsky.app',
      'mastodon.social',
      'vk.com',
      'ok.ru',
      'weibo.com',
      'tumblr.com',
      'quora.com',
      'snapchat.com',
      'telegram.org',
      't.me',
      'whatsapp.com',
      'discord.com',
      'twitch.tv',
      'xing.com',
      'line.me',
      'news.ycombinator.com',
      'plus.google.com',
    ],
  ],
]

const isOneOf = (host: string, names: readonly string[]): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`))

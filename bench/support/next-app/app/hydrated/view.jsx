'use client'
export { ListingView } from 'listing-view'

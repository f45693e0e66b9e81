import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { CampaignPage } from './campaign/campaign.tsx';
import { CampaignsPage } from './campaigns.tsx';
import { JobPage } from './job/job.tsx';
import { hrefOf, parseRoute, type Route } from './route.ts';

function App() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const route = parseRoute(hash);
  const title = titleOf(route);
  useEffect(() => {
    document.title = title;
    // Who works by keyboard or hears the page begins at what is new; a filter of the same page leaves the focus where it is.
    const heading = document.querySelector('h1');
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title]);
  return (
    <>
      <header class="top">
        <nav aria-label="Where you are">
          <a href={hrefOf({ page: 'campaigns' })}>Clade</a>
          {route.page !== 'campaigns' && <a href={campaignHref(route.name)}>{route.name}</a>}
          {route.page === 'job' && <span aria-current="page">job {route.ordinal}</span>}
        </nav>
      </header>
      <main>{pageOf(route)}</main>
    </>
  );
}

function pageOf(route: Route) {
  if (route.page === 'campaigns') return <CampaignsPage />;
  if (route.page === 'campaign') return <CampaignPage key={route.name} route={route} />;
  return <JobPage key={`${route.name}/${route.ordinal}`} name={route.name} ordinal={route.ordinal} />;
}

function titleOf(route: Route): string {
  if (route.page === 'campaigns') return 'Clade';
  return route.page === 'campaign' ? `${route.name} · Clade` : `${route.name} job ${route.ordinal} · Clade`;
}

function campaignHref(name: string): string {
  return hrefOf({ page: 'campaign', name, outcome: null, before: null });
}

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}

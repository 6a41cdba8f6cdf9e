import type { Router } from "express";

const FOLDER = `${import.meta.dirname}/assets`;

/** The style and the script of every page. */
export function assetRoutes(router: Router): void {
  for (const name of ["dashboard.css", "dashboard.js"]) {
    router.get(`/${name}`, (_request, response, next) => {
      response.removeHeader("Cache-Control");
      response.sendFile(name, { root: FOLDER, maxAge: "10m" }, (error) => error && next(error));
    });
  }
}

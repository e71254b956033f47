# docker build --tag polhode . ; docker run --rm --volume "$PWD:/data" polhode polhode run study.toml
# A GPU: --gpus all --env NVIDIA_DRIVER_CAPABILITIES=graphics,compute, with the container toolkit of its vendor.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package polhode-cli

FROM debian:12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libvulkan1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/target/release/polhode /usr/local/bin/polhode
WORKDIR /data
CMD ["polhode", "--help"]
